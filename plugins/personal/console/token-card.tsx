import { Button } from '@arco-design/web-react'
import { useState } from 'react'
import { api, Card, confirm, SecretText, tryCopy, useAction, useTexts } from '#console'

/** The system access token, for scripts that call the console's API. It is shown here once. */
export function TokenCard() {
  const t = useTexts('personal')
  const [token, setToken] = useState<string>()
  const [make, isMaking] = useAction(async () => {
    const isAgreed = await confirm(() => ({
      title: t('token.askTitle'),
      content: t('token.ask'),
      confirmLabel: t('token.make'),
    }))
    if (!isAgreed) return
    const made = await api.get<string>('/api/user/token')
    setToken(made)
    await tryCopy(made, t('token.done'))
  })
  return (
    <Card title={t('token.title')} hint={t('token.hint')}>
      <div className="personal-stack">
        {token === undefined ? null : (
          <div role="status">
            <SecretText text={token} message={t('token.copied')} />
            <p className="muted">{t('token.once')}</p>
          </div>
        )}
        <div>
          <Button loading={isMaking} onClick={() => void make()}>
            {t('token.make')}
          </Button>
        </div>
      </div>
    </Card>
  )
}
