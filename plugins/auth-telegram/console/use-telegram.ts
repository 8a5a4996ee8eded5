import { useEffect } from 'react'
import { toast, useStatus, useTexts } from '#console'
import { askTelegram, loadTelegram } from './ask-telegram.ts'

/** Asks Telegram to identify the user, and reports if Telegram cannot be reached. */
export function useTelegram(): () => Promise<URLSearchParams | undefined> {
  const t = useTexts('auth-telegram')
  const status = useStatus()
  useEffect(() => {
    // Reported when the button is pressed.
    loadTelegram().catch(() => undefined)
  }, [])
  return async () => {
    try {
      return await askTelegram((status?.['telegram_bot_id'] as string | undefined) ?? '')
    } catch {
      toast.error(t('unreachable'))
      return undefined
    }
  }
}
