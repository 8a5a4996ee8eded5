import { Alert, Button, Input } from '@arco-design/web-react'
import { useId, useState } from 'react'
import { api, messageOf, useAction, useOptions, useTexts } from '#console'
import './mail.css'

type Result = { isSent: boolean; words: string }

/** On the settings page: sends a mail with what is stored, and shows what the mail server said. */
export default function TestPart() {
  const t = useTexts('mail')
  const id = useId()
  const { values } = useOptions()
  const [email, setEmail] = useState('')
  const [result, setResult] = useState<Result>()
  const isSet = (values?.['SMTPServer'] ?? '') !== ''
  const [send, isSending] = useAction(async () => {
    setResult(undefined)
    try {
      const body = { email: email.trim() }
      const { to, answer } = await api.post<{ to: string; answer: string }>(
        '/api/mail/test',
        body,
        { isQuiet: true },
      )
      setResult({ isSent: true, words: t('test.sent', { to, answer }) })
    } catch (error) {
      setResult({ isSent: false, words: messageOf(error) })
    }
  })
  return (
    <div className="schema-field mail-test">
      <label htmlFor={id}>{t('test.label')}</label>
      <div className="mail-test-row">
        <Input
          id={id}
          type="email"
          value={email}
          maxLength={254}
          placeholder={t('test.own')}
          onChange={setEmail}
          disabled={!isSet}
        />
        <Button loading={isSending} disabled={!isSet} onClick={() => void send()}>
          {t('test.send')}
        </Button>
      </div>
      <p className="schema-help">{t(isSet ? 'test.help' : 'test.first')}</p>
      <div role="status">
        {result ? (
          <Alert type={result.isSent ? 'success' : 'error'} content={result.words} />
        ) : null}
      </div>
    </div>
  )
}
