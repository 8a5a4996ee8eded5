import { Button, Form, Input } from '@arco-design/web-react'
import {
  AccountBindings,
  api,
  Card,
  ErrorState,
  Field,
  focusFirstFault,
  LeaveGuard,
  Loading,
  Page,
  toast,
  useAction,
  useData,
  useFormValue,
  useLeaveQuestion,
  useTexts,
} from '#console'
import type { User } from './user.ts'
import { passwordRule, usernameRule } from './user-rules.ts'
import './users.css'

interface OwnForm {
  username: string
  display_name: string
  original_password?: string
  password?: string
  repeat?: string
}

/** One's own name and password; group and balance are not one's own to change. */
export default function OwnAccountScreen() {
  const t = useTexts('users')
  const own = useData<User & { has_password?: boolean }>('/api/user/self')
  const [form] = Form.useForm<OwnForm>()
  const { hasChanges, setChanged } = useLeaveQuestion()
  const [save, isSaving] = useAction(async (edited: OwnForm) => {
    const { username, display_name, original_password, password } = edited
    await api.put('/api/user/self', { username, display_name, original_password, password })
    form.setFieldsValue({ original_password: '', password: '', repeat: '' })
    setChanged(false)
    toast.success(t('own.saved'))
    await own.refresh()
  })
  if (own.error)
    return <ErrorState message={own.error.message} onRetry={() => void own.refresh()} />
  if (!own.data) return <Loading />
  return (
    <Page title={t('own.title')} hint={t('own.hint')} width="text">
      <Card className="own-account">
        <LeaveGuard hasChanges={hasChanges} />
        <Form<OwnForm>
          id="own-account"
          form={form}
          layout="vertical"
          requiredSymbol={{ position: 'end' }}
          initialValues={{ username: own.data.username, display_name: own.data.display_name }}
          onChange={() => setChanged(true)}
          onSubmitFailed={() => focusFirstFault(document.getElementById('own-account'))}
          onSubmit={(values) => void save(values)}
        >
          <Field
            name="username"
            label={t('field.username')}
            help={t('help.username')}
            isRequired
            rules={[usernameRule(t)]}
          >
            <Input autoComplete="username" />
          </Field>
          <Field name="display_name" label={t('field.displayName')}>
            <Input maxLength={64} />
          </Field>
          <PasswordFields hasPassword={own.data.has_password !== false} />
          <Button type="primary" htmlType="submit" loading={isSaving}>
            {t('save')}
          </Button>
        </Form>
      </Card>
      <Card className="own-account" title={t('own.bindings')} hint={t('own.bindingsHint')}>
        <AccountBindings />
      </Card>
    </Page>
  )
}

/** Accounts that came through a provider have no password to enter first. */
function PasswordFields({ hasPassword }: { hasPassword: boolean }) {
  const t = useTexts('users')
  const original = useFormValue<string>('original_password') ?? ''
  const password = useFormValue<string>('password') ?? ''
  return (
    <>
      {hasPassword ? (
        <Field
          name="original_password"
          label={t('field.originalPassword')}
          isRequired={password !== ''}
        >
          <Input.Password autoComplete="current-password" />
        </Field>
      ) : null}
      <Field
        name="password"
        label={t('field.newPassword')}
        help={t('help.password')}
        rules={[
          passwordRule(t),
          {
            validator: (value: string | undefined, answer) =>
              answer(value && value === original ? t('fault.same') : undefined),
          },
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Field>
      <Field
        name="repeat"
        label={t('field.repeat')}
        rules={[
          {
            validator: (value: string | undefined, answer) =>
              answer((value ?? '') === password ? undefined : t('fault.differ')),
          },
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Field>
    </>
  )
}
