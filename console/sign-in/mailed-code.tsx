import { Button, Input } from '@arco-design/web-react'
import { useEffect, useState } from 'react'
import { api } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { Field, useFormValue } from '../kit/forms/field.tsx'
import { toast } from '../kit/toast.ts'
import { useTexts } from '../texts/use-texts.ts'
import type { BotCheckState } from './use-bot-check.tsx'
import './sign-in.css'

/** Before another mail may be asked for. */
const PAUSE_SECONDS = 30

export interface MailedCodeProps {
  /** The name of the code's field. */
  name: string
  run: BotCheckState['run']
  size?: 'default' | 'large'
}

/** The code that proves the form's `email`: asked for by a button, typed beside it. */
export function MailedCode({ name, run, size = 'default' }: MailedCodeProps) {
  const t = useTexts()
  const email = (useFormValue<string>('email') ?? '').trim()
  const [waitSeconds, startWaiting] = useMailPause()
  const [send, isSending] = useAction(async () => {
    if (!email.includes('@')) return toast.warning(t('mailedCode.addressFirst'))
    const isSent = await run(async (query) => {
      await api.get('/api/verification', { query: { email, ...query } })
      return true
    })
    if (!isSent) return
    toast.success(t('mailedCode.sent'))
    startWaiting()
  })
  return (
    <div className="mailed-code">
      <Field name={name} label={t('mailedCode.label')} isRequired>
        <Input autoComplete="one-time-code" maxLength={16} size={size} />
      </Field>
      <Button
        size={size}
        loading={isSending}
        disabled={waitSeconds > 0}
        onClick={() => void send()}
      >
        {waitSeconds > 0 ? t('mailedCode.again', { seconds: waitSeconds }) : t('mailedCode.send')}
      </Button>
    </div>
  )
}

/** Seconds until another mail may be asked for, and what starts them. */
export function useMailPause(): [waitSeconds: number, start: () => void] {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left === 0) return
    const timer = window.setTimeout(() => setLeft(left - 1), 1000)
    return () => window.clearTimeout(timer)
  }, [left])
  return [left, () => setLeft(PAUSE_SECONDS)]
}
