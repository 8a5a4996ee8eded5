// Telegram's own script in its callback mode: it opens Telegram's window and hands over what was signed there. Its ready-made button puts its callback
// together as text, which the content security policy refuses; the function below that button does not. Source: the script itself (the address below),
// which public projects keep copies of; `request_access` of false is left out of the window's address, and a window that is closed gives false.

import { loadScript } from '#console'

/** The fields that Telegram signed; `false` if the user closed the window. */
type Signed = Record<string, string | number> | false

interface TelegramWindow extends Window {
  Telegram?: {
    Login?: {
      auth(
        options: { bot_id: string; request_access: boolean },
        done: (signed: Signed) => void,
      ): void
    }
  }
}

const address = 'https://telegram.org/js/telegram-widget.js?22'

/** Loads the script before the button is pressed, because browsers block windows that open later than the press. */
export function loadTelegram(): Promise<void> {
  return loadScript(address)
}

/** The signed fields as a query; undefined if the user closed the window. */
export async function askTelegram(botId: string): Promise<URLSearchParams | undefined> {
  await loadTelegram()
  const login = (window as TelegramWindow).Telegram?.Login
  if (!login) throw new Error(address)
  const signed = await new Promise<Signed>((resolve) =>
    login.auth({ bot_id: botId, request_access: false }, resolve),
  )
  if (!signed) return undefined
  return new URLSearchParams(
    Object.entries(signed).map(([name, value]): [string, string] => [name, String(value)]),
  )
}
