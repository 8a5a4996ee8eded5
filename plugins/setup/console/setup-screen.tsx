import { Alert, Button, Form, Radio } from '@arco-design/web-react'
import { useState } from 'react'
import {
  api,
  ApiError,
  Card,
  ErrorState,
  Field,
  focusFirstFault,
  FormSection,
  Loading,
  Page,
  type SessionUser,
  toast,
  useData,
  useSession,
  useTexts,
} from '#console'
import type { SetupState } from '../schema.ts'
import { AccountFields, TokenField } from './account-fields.tsx'
import './setup.css'

type Mode = 'external' | 'self' | 'demo'

interface SetupForm {
  username: string
  password: string
  confirmPassword: string
  setup_token?: string
  mode: Mode
}

const reloadAfterMs = 1500

export default function SetupScreen() {
  const t = useTexts('setup')
  const state = useData<SetupState>('/api/setup')
  return (
    <div className="setup">
      <Page title={t('setup.title')} hint={t('setup.hint')} width="text">
        {state.error ? (
          <ErrorState
            title={t('setup.stateFailed')}
            message={state.error.message}
            onRetry={() => void state.refresh()}
          />
        ) : state.data ? (
          <Wizard state={state.data} />
        ) : (
          <Loading />
        )}
      </Page>
    </div>
  )
}

function Wizard({ state }: { state: SetupState }) {
  const t = useTexts('setup')
  const [form] = Form.useForm<SetupForm>()
  const { submit, isSubmitting } = useSubmit(!state.root_init)
  return (
    <Card>
      <Form<SetupForm>
        id="setup"
        form={form}
        layout="vertical"
        requiredSymbol={false}
        initialValues={{ mode: 'external' }}
        onSubmitFailed={() => focusFirstFault(document.getElementById('setup'))}
        onSubmit={(values) => void submit(values)}
      >
        {state.database_type === 'sqlite' ? (
          <Alert
            className="setup-notice"
            type="warning"
            title={t('setup.sqliteTitle')}
            content={t('setup.sqlite')}
          />
        ) : null}
        <FormSection title={t('setup.account')}>
          {state.root_init ? (
            <Alert type="info" content={t('setup.rootExists')} />
          ) : (
            <AccountFields password={() => form.getFieldValue('password')} />
          )}
          {state.needs_setup_token ? <TokenField /> : null}
        </FormSection>
        <FormSection title={t('setup.mode')}>
          <Field name="mode" label={<span className="visually-hidden">{t('setup.mode')}</span>}>
            <ModeChoice />
          </Field>
        </FormSection>
        <Button type="primary" htmlType="submit" size="large" long loading={isSubmitting}>
          {t('setup.submit')}
        </Button>
      </Form>
    </Card>
  )
}

/** Signs the new account in. If that fails, the user signs in by hand. */
async function signIn(username: string, password: string): Promise<void> {
  try {
    const body = { username, password }
    const user = await api.post<SessionUser>('/api/user/login', body, { isQuiet: true })
    useSession.getState().signIn(user)
  } catch {
    // The setup itself has succeeded.
  }
}

/** Posts the wizard, confirms it, and reloads the page, so that every part of the console starts from the new state. */
function useSubmit(hasAccount: boolean) {
  const t = useTexts('setup')
  const [isSubmitting, setSubmitting] = useState(false)
  const submit = async ({ mode, username, password, confirmPassword, setup_token }: SetupForm) => {
    setSubmitting(true)
    try {
      await api.post(
        '/api/setup',
        {
          ...(hasAccount ? { username: username.trim(), password, confirmPassword } : {}),
          ...(setup_token ? { setup_token } : {}),
          SelfUseModeEnabled: mode === 'self',
          DemoSiteEnabled: mode === 'demo',
        },
        { isQuiet: true },
      )
      toast.success(t('setup.done'))
      if (hasAccount) await signIn(username.trim(), password)
      // The button stays busy until the page is left.
      window.setTimeout(() => window.location.assign(hasAccount ? '/overview' : '/'), reloadAfterMs)
    } catch (error) {
      const isExplained =
        error instanceof ApiError && error.status === 200 && error.code !== 'unnamed'
      toast.error(isExplained ? error.message : t('setup.failed'))
      setSubmitting(false)
    }
  }
  return { submit, isSubmitting }
}

const modes: readonly Mode[] = ['external', 'self', 'demo']

function ModeChoice({ value, onChange }: { value?: Mode; onChange?: (mode: Mode) => void }) {
  const t = useTexts('setup')
  return (
    <Radio.Group
      direction="vertical"
      value={value}
      onChange={onChange}
      className="setup-modes"
      aria-label={t('setup.mode')}
    >
      {modes.map((mode) => (
        <Radio key={mode} value={mode}>
          <span className="setup-mode">
            <strong>{t(`setup.modes.${mode}`)}</strong>
            <span className="muted">{t(`setup.modeHelp.${mode}`)}</span>
          </span>
        </Radio>
      ))}
    </Radio.Group>
  )
}
