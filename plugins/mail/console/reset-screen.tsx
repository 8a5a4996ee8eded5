import { Alert, Button, Form, Input } from '@arco-design/web-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import {
  api,
  EntryCard,
  Field,
  focusFirstFault,
  useAction,
  useBotCheck,
  useMailPause,
  useStatus,
  useTexts,
} from '#console'
import './mail.css'

interface Request {
  email: string
}

/** Asks for the link by which a forgotten password is replaced. */
export default function ResetScreen() {
  const t = useTexts('mail')
  const status = useStatus()
  const isReady = status?.['password_reset_enabled'] !== false
  return (
    <EntryCard title={t('reset.title')} footer={<Link to="/login">{t('reset.back')}</Link>}>
      {isReady ? <RequestForm /> : <Alert type="info" content={t('reset.noMail')} />}
    </EntryCard>
  )
}

function RequestForm() {
  const t = useTexts('mail')
  const { element, run } = useBotCheck()
  const [sentTo, setSentTo] = useState<string>()
  const [waitSeconds, startWaiting] = useMailPause()
  const [send, isSending] = useAction(async ({ email }: Request) => {
    const address = email.trim()
    const isSent = await run(async (query) => {
      await api.get('/api/reset_password', { query: { email: address, ...query } })
      return true
    })
    if (!isSent) return
    setSentTo(address)
    startWaiting()
  })
  return (
    <Form<Request>
      id="reset"
      layout="vertical"
      requiredSymbol={false}
      onSubmitFailed={() => focusFirstFault(document.getElementById('reset'))}
      onSubmit={(values) => void send(values)}
    >
      <p className="muted entry-hint">{t('reset.hint')}</p>
      <Field name="email" label={t('reset.email')} isRequired>
        <Input type="email" autoComplete="email" autoFocus maxLength={254} size="large" />
      </Field>
      {element}
      <div role="status">
        {sentTo === undefined ? null : (
          <Alert
            type="success"
            className="mail-notice"
            content={t('reset.sent', { email: sentTo })}
          />
        )}
      </div>
      <Button
        type="primary"
        htmlType="submit"
        long
        size="large"
        loading={isSending}
        disabled={waitSeconds > 0}
      >
        {waitSeconds > 0 ? t('again', { seconds: waitSeconds }) : t('reset.submit')}
      </Button>
    </Form>
  )
}
