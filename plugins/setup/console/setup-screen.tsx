import { Alert, Button, Form, type FormInstance, Radio } from '@arco-design/web-react'
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
  useFormAction,
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

const formId = 'setup'
const formPart = () => document.getElementById(formId)

function Wizard({ state }: { state: SetupState }) {
  const t = useTexts('setup')
  const [form] = Form.useForm<SetupForm>()
  const { submit, isSubmitting } = useSubmit(form, !state.root_init)
  return (
    <Card>
      <Form<SetupForm>
        id={formId}
        form={form}
        layout="vertical"
        requiredSymbol={false}
        initialValues={{ mode: 'external' }}
        onSubmitFailed={() => focusFirstFault(formPart())}
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
            <AccountFields />
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

/** @returns whether the new account is signed in; where it is not, the user signs in by hand. */
async function signIn(username: string, password: string): Promise<boolean> {
  try {
    const body = { username, password }
    const user = await api.post<SessionUser>('/api/user/login', body, { isQuiet: true })
    useSession.getState().signIn(user)
    return true
  } catch {
    // The setup itself has succeeded.
    return false
  }
}

/** Posts the wizard, confirms it, and reloads the page, so that every part of the console starts from the new state. */
function useSubmit(form: FormInstance<SetupForm>, hasAccount: boolean) {
  const t = useTexts('setup')
  const [isLeaving, setLeaving] = useState(false)
  const leave = (address: string) => {
    // The button stays busy until the page is left.
    setLeaving(true)
    window.setTimeout(() => window.location.assign(address), reloadAfterMs)
  }
  const [submit, isRunning] = useFormAction(form, formPart, async (values: SetupForm) => {
    const fault = await refusalOf(values, hasAccount)
    const isDone = fault === undefined || fault.code === 'setup.done'
    if (!isDone) {
      const isExplained = fault.status === 200 && fault.code !== 'unnamed'
      toast.error(isExplained ? fault.message : t('setup.failed'))
      throw fault
    }
    // An earlier answer may have been lost on the way: the account is then the one that was typed.
    const isIn = hasAccount && (await signIn(values.username.trim(), values.password))
    if (fault === undefined || isIn) toast.success(t('setup.done'))
    else toast.error(fault.message)
    if (fault && !isIn) leave('/login')
    else leave(hasAccount ? '/overview' : '/')
  })
  return { submit, isSubmitting: isRunning || isLeaving }
}

async function refusalOf(values: SetupForm, hasAccount: boolean): Promise<ApiError | undefined> {
  const { mode, username, password, confirmPassword, setup_token } = values
  const body = {
    ...(hasAccount ? { username: username.trim(), password, confirmPassword } : {}),
    ...(setup_token ? { setup_token } : {}),
    SelfUseModeEnabled: mode === 'self',
    DemoSiteEnabled: mode === 'demo',
  }
  try {
    await api.post('/api/setup', body, { isQuiet: true })
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
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
