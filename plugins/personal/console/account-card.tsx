import { Alert, Button, Form, Input } from '@arco-design/web-react'
import {
  api,
  Card,
  Field,
  fieldRule,
  focusFirstFault,
  nameLength,
  NewPassword,
  type OwnAccount,
  passwordLength,
  RepeatedPassword,
  toast,
  useFormAction,
  useFormValue,
  useSession,
  useTexts,
  PasswordInput,
} from '#console'
import { useState } from 'react'
import type { CardOf } from './own.ts'

interface AccountForm {
  username: string
  display_name: string
  original_password?: string
  password?: string
  repeat?: string
}

const formId = 'own-account'
const formPart = () => document.getElementById(formId)

/** The own name and password; group and balance are not one's own to change. */
export function AccountCard({ own, onChange, onEdited }: CardOf) {
  const t = useTexts('personal')
  const [form] = Form.useForm<AccountForm>()
  // The values that filled the form. A name that was not touched here may have been changed on another page.
  const [shown, setShown] = useState(() => initialOf(own))
  const [save, isSaving] = useFormAction(form, formPart, async (typed: AccountForm) => {
    const names = namesOf(typed, shown)
    form.setFieldsValue(names)
    const { original_password, ...changes } = changesOf({ ...typed, ...names }, shown)
    if (!Object.values(changes).some(Boolean)) return toast.warning(t('options.unchanged'))
    await api.put('/api/user/self', { ...changes, original_password })
    setShown(names)
    form.setFieldsValue({ original_password: '', password: '', repeat: '' })
    onEdited('account', false)
    toast.success(t(typed.password ? 'account.passwordChanged' : 'account.saved'))
    renameStored(names)
    await onChange()
  })
  return (
    <Card title={t('account.title')}>
      <Form<AccountForm>
        id={formId}
        form={form}
        layout="vertical"
        requiredSymbol={{ position: 'end' }}
        initialValues={shown}
        onChange={() => onEdited('account', true)}
        onSubmitFailed={() => focusFirstFault(formPart())}
        onSubmit={(values) => void save(values)}
      >
        <Field
          name="username"
          label={t('account.username')}
          isRequired
          rules={[
            fieldRule<string>((value) => (value?.includes('@') ? t('account.noAt') : undefined)),
          ]}
        >
          <Input autoComplete="username" maxLength={nameLength.max} />
        </Field>
        <Field
          name="display_name"
          label={t('account.displayName')}
          help={t('account.displayNameHelp')}
        >
          <Input maxLength={nameLength.max} />
        </Field>
        {own.password_made ? (
          <Alert className="personal-made" type="warning" content={t('account.madeByOthers')} />
        ) : null}
        <PasswordFields />
        <div>
          <Button type="primary" htmlType="submit" loading={isSaving}>
            {t('save')}
          </Button>
        </div>
      </Form>
    </Card>
  )
}

/** As the server takes them: without the blanks around them, and an empty one for one that was not sent. */
function namesOf(typed: AccountForm, shown: AccountForm) {
  const username = typed.username.trim()
  return { username, display_name: typed.display_name.trim() || (shown.display_name && username) }
}

function changesOf(
  { username, display_name, original_password, password }: AccountForm,
  shown: AccountForm,
) {
  return {
    ...(username === shown.username ? {} : { username }),
    ...(display_name === shown.display_name ? {} : { display_name }),
    original_password,
    password,
  }
}

function initialOf({ username, display_name }: OwnAccount): AccountForm {
  return { username, display_name }
}

/** The frame shows the name that the sign-in told. */
function renameStored({ username, display_name }: AccountForm): void {
  const { user, signIn } = useSession.getState()
  if (user) signIn({ ...user, username, display_name })
}

function PasswordFields() {
  const t = useTexts('personal')
  const original = useFormValue<string>('original_password') ?? ''
  return (
    <>
      <Field
        name="original_password"
        label={t('account.original')}
        help={t('account.originalHelp')}
      >
        <PasswordInput autoComplete="current-password" />
      </Field>
      <NewPassword
        label={t('account.password')}
        help={t('account.passwordHelp', passwordLength)}
        isRequired={original !== ''}
        rules={[
          fieldRule<string>((value) =>
            value && value === original ? t('account.same') : undefined,
          ),
        ]}
      />
      <RepeatedPassword name="repeat" label={t('account.repeat')} />
    </>
  )
}
