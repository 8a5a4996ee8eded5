// The service checks the secret key before the token: a wrong secret is answered by `invalid-input-secret`
// (developers.cloudflare.com/turnstile/get-started/server-side-validation, "Error codes").
import { randomUUID } from 'node:crypto'
import { AppError, type OptionAction } from '#core'
import type { Turnstile } from './turnstile.ts'

const missing = { en: 'Enter the secret key first.', zh: '请先填写密钥。' }

/** Tests the secret only. That both keys belong together is proved by the widget, before the check is switched on. */
export function checkAction(turnstile: Turnstile): OptionAction {
  return {
    id: 'turnstile-secret',
    label: { en: 'Check the secret key', zh: '检查密钥' },
    options: ['TurnstileSecretKey'],
    async run(values) {
      const secret = values.get<string>('TurnstileSecretKey')
      if (secret === '') return { ok: false, message: missing }
      try {
        await turnstile.check(`no-token-${randomUUID()}`, { secret })
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'bot_check.refused') throw error
      }
      return { ok: true, message: { en: 'The service knows this key.', zh: '密钥有效。' } }
    },
  }
}
