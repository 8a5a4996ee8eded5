import { Button } from '@arco-design/web-react'
import { useAction, useTexts } from '#console'
import { useTelegram } from './use-telegram.ts'

export default function BindButton() {
  const t = useTexts('auth-telegram')
  const ask = useTelegram()
  const [bind, isRunning] = useAction(async () => {
    const signed = await ask()
    // The address redirects to the settings by itself.
    if (signed) window.location.assign(`/api/oauth/telegram/bind?${signed.toString()}`)
  })
  return (
    <Button loading={isRunning} aria-label={t('bindTitle')} onClick={() => void bind()}>
      {t('bind')}
    </Button>
  )
}
