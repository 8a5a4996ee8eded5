import { Alert, Button } from '@arco-design/web-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { api, ApiError, CopyButton, EntryCard, tryCopy, useAction, useTexts } from '#console'
import './mail.css'

/** Where the link of the mail leads. A press, and not the opening, uses it up: mail programs open links by themselves. */
export default function ConfirmScreen() {
  const t = useTexts('mail')
  const [search] = useSearchParams()
  const email = search.get('email') ?? ''
  const token = search.get('token') ?? ''
  const [password, setPassword] = useState<string>()
  const [isSpent, setSpent] = useState(false)
  const [reset, isRunning] = useAction(async () => {
    try {
      const made = await api.post<string>('/api/user/reset', { email, token })
      setPassword(made)
      await tryCopy(made, t('confirm.copied'))
    } catch (error) {
      if (error instanceof ApiError) setSpent(true)
      throw error
    }
  })
  const isWhole = email !== '' && token !== ''
  return (
    <EntryCard
      title={t('confirm.title')}
      footer={
        password === undefined ? (
          <Link to="/reset">{t('confirm.again')}</Link>
        ) : (
          <Link to="/login">{t('confirm.logIn')}</Link>
        )
      }
    >
      {!isWhole ? <Alert type="error" content={t('confirm.incomplete')} /> : null}
      {isWhole && isSpent ? <Alert type="error" content={t('confirm.invalid')} /> : null}
      {isWhole && password === undefined ? (
        <>
          <p>{t('confirm.hint', { email })}</p>
          <Button type="primary" long size="large" loading={isRunning} onClick={() => void reset()}>
            {t('confirm.submit')}
          </Button>
        </>
      ) : null}
      {password === undefined ? null : (
        <div role="status">
          <Alert type="success" className="mail-notice" content={t('confirm.done')} />
          <p className="mail-password">
            <code>{password}</code>
            <CopyButton text={password} message={t('confirm.copied')} />
          </p>
          <p className="muted">{t('confirm.change')}</p>
        </div>
      )}
    </EntryCard>
  )
}
