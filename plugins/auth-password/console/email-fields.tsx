import { Button, Input } from '@arco-design/web-react'
import { useEffect, useState } from 'react'
import { api, type BotCheckState, Field, toast, useAction, useFormValue, useTexts } from '#console'
import './entry.css'

/** Before another code may be asked for. */
const PAUSE_SECONDS = 30
const MAX_EMAIL = 50

/** The address and the code that was mailed to it, while addresses are verified here. */
export function EmailFields({ run }: { run: BotCheckState['run'] }) {
  const t = useTexts('auth-password')
  const email = (useFormValue<string>('email') ?? '').trim()
  const [waitSeconds, startWaiting] = useCountdown()
  const [send, isSending] = useAction(async () => {
    if (!email.includes('@')) {
      toast.warning(t('register.emailFirst'))
      return
    }
    const sent = await run(async (query) => {
      await api.get('/api/verification', { query: { email, ...query } })
      return true
    })
    if (!sent) return
    toast.success(t('register.codeSent'))
    startWaiting()
  })
  return (
    <>
      <Field name="email" label={t('register.email')} isRequired>
        <Input type="email" autoComplete="email" maxLength={MAX_EMAIL} size="large" />
      </Field>
      <div className="entry-code">
        <Field name="verification_code" label={t('register.code')} isRequired>
          <Input autoComplete="one-time-code" maxLength={16} size="large" />
        </Field>
        <Button
          size="large"
          loading={isSending}
          disabled={waitSeconds > 0}
          onClick={() => void send()}
        >
          {waitSeconds > 0
            ? t('register.sendAgain', { seconds: waitSeconds })
            : t('register.sendCode')}
        </Button>
      </div>
    </>
  )
}

/** Seconds that are left, and what starts them. */
function useCountdown(): [number, () => void] {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left === 0) return
    const timer = window.setTimeout(() => setLeft(left - 1), 1000)
    return () => window.clearTimeout(timer)
  }, [left])
  return [left, () => setLeft(PAUSE_SECONDS)]
}
