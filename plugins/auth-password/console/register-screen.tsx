import { Alert, Button, Form, Input } from '@arco-design/web-react'
import { useEffect } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import {
  api,
  Field,
  focusFirstFault,
  readStored,
  toast,
  useAction,
  useStatus,
  useTexts,
  writeStored,
} from '#console'
import { EntryCard } from './entry-card.tsx'

interface Registration {
  username: string
  password: string
  password2: string
}

const inviteKey = 'aff'

export default function RegisterScreen() {
  const t = useTexts('auth-password')
  const status = useStatus()
  const navigate = useNavigate()
  const [form] = Form.useForm<Registration>()
  useInviteCode()
  const [register, isRunning] = useAction(async (values: Registration) => {
    await api.post('/api/user/register', {
      ...values,
      username: values.username.trim(),
      aff_code: readStored(inviteKey) ?? '',
    })
    toast.success(t('register.done'))
    await navigate('/login')
  })
  const isClosed = status?.register_enabled === false || status?.password_register_enabled === false
  return (
    <EntryCard
      title={t('register.title')}
      footer={
        <span>
          {t('register.haveAccount')} <Link to="/login">{t('login.title')}</Link>
        </span>
      }
    >
      {isClosed ? <Alert type="info" content={t('register.closed')} /> : null}
      <Form<Registration>
        id="register"
        form={form}
        layout="vertical"
        requiredSymbol={false}
        disabled={isClosed}
        onSubmitFailed={() => focusFirstFault(document.getElementById('register'))}
        onSubmit={(values) => void register(values)}
      >
        <Field
          name="username"
          label={t('register.username')}
          isRequired
          rules={[noAddress(t('register.noAt'))]}
        >
          <Input autoComplete="username" maxLength={64} size="large" />
        </Field>
        <Field
          name="password"
          label={t('login.password')}
          help={t('register.passwordHelp')}
          isRequired
          rules={[{ minLength: 8, message: t('register.tooShort') }]}
        >
          <Input.Password autoComplete="new-password" maxLength={128} size="large" />
        </Field>
        <Field
          name="password2"
          label={t('register.repeat')}
          isRequired
          rules={[
            {
              validator: (value, answer) =>
                answer(value === form.getFieldValue('password') ? undefined : t('register.differ')),
            },
          ]}
        >
          <Input.Password autoComplete="new-password" maxLength={128} size="large" />
        </Field>
        <Button type="primary" htmlType="submit" long size="large" loading={isRunning}>
          {t('register.submit')}
        </Button>
      </Form>
    </EntryCard>
  )
}

/** An invite link (`/register?aff=code`) is remembered: the visitor may look around first. */
function useInviteCode(): void {
  const [search] = useSearchParams()
  const code = search.get('aff')
  useEffect(() => {
    if (code) writeStored(inviteKey, code)
  }, [code])
}

/** `@` belongs to addresses: a name with one could be someone's e-mail. */
function noAddress(message: string) {
  return {
    validator: (value: string | undefined, answer: (fault?: string) => void) =>
      answer(value?.includes('@') ? message : undefined),
  }
}
