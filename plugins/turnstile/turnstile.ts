// Cloudflare Turnstile. Source: developers.cloudflare.com/turnstile, "Validate the token": bodies are JSON, tokens
// have at most 2048 characters and are valid once.
import { errorType, isObject, type PluginServices } from '#core'

type Services = Pick<PluginServices, 'environment' | 'fetch'>

export interface Turnstile {
  /** @throws bot_check.refused, bot_check.misconfigured, bot_check.unreachable */
  check(token: string, how: { secret: string; address?: string }): Promise<void>
}

const refused = errorType('bot_check.refused', 403, {
  en: 'The bot check was not passed. Reload the page and try again.',
  zh: '人机验证未通过，请刷新页面后重试。',
})
const misconfigured = errorType('bot_check.misconfigured', 503, {
  en: 'The bot check of this site has a wrong secret key. Tell the administrator.',
  zh: '本站人机验证的密钥有误，请联系管理员。',
})
const unreachable = errorType('bot_check.unreachable', 503, {
  en: 'The bot check cannot be reached. Try again in a moment.',
  zh: '无法连接人机验证服务，请稍后重试。',
})

const SERVICE = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'
const MAX_TOKEN = 2048
const ownFaults: ReadonlySet<unknown> = new Set(['missing-input-secret', 'invalid-input-secret'])

export function createTurnstile({ environment, fetch }: Services): Turnstile {
  async function verify(token: string, secret: string, address?: string) {
    const form = new URLSearchParams({
      secret,
      response: token,
      ...(address === undefined ? {} : { remoteip: address }),
    })
    try {
      const { body } = await fetch(
        {
          method: 'POST',
          url: environment.read('TURNSTILE_VERIFY_URL') || SERVICE,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: form.toString(),
        },
        { firstByteTimeoutMs: 5_000 },
      )
      return isObject(body) ? body : {}
    } catch (error) {
      throw unreachable({}, { cause: error })
    }
  }

  return {
    async check(token, { secret, address }) {
      if (token.length > MAX_TOKEN) throw refused()
      const answer = await verify(token, secret, address)
      if (answer['success'] === true) return
      if (answer['success'] !== false) throw unreachable()
      const codes = Array.isArray(answer['error-codes']) ? answer['error-codes'] : []
      if (codes.some((code) => ownFaults.has(code))) throw misconfigured()
      throw refused()
    },
  }
}
