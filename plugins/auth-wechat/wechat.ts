// A WeChat server (public project songquanpeng/wechat-server): whoever writes a keyword to the public account gets a code of digits, valid for three
// minutes. The server does not use it up.
import {
  type AuthProvider,
  type DirectProof,
  errorType,
  isObject,
  type PluginServices,
  type ProviderIdentity,
} from '#core'

type Services = Pick<PluginServices, 'accounts' | 'fetch' | 'guesses' | 'options'>

const codeMissing = errorType('auth_wechat.code_missing', 400, {
  en: 'Enter the verification code that the public account sent you.',
  zh: '请输入公众号回复的验证码。',
})
const codeWrong = errorType('auth_wechat.code_wrong', 403, {
  en: 'The verification code is wrong, has expired or was used already.',
  zh: '验证码错误、已过期或已使用。',
})
const unreadable = errorType<{ status: number }>('auth_wechat.unreadable', 502, {
  en: 'The WeChat server does not answer as it should (HTTP {status}). Tell the administrator.',
  zh: '微信服务器响应异常（HTTP {status}），请告知管理员。',
})

const CODE_SECONDS = 180
const MAX_CODE = 32

export function wechatProvider(services: Services): AuthProvider {
  return {
    id: 'wechat',
    kind: 'direct',
    name: { en: 'WeChat', zh: '微信' },
    isEnabled: () => services.options.get<boolean>('WeChatAuthEnabled'),
    // The server decides which user a code belongs to.
    issuer: { configured: () => addressOf(services) },
    identify: (proof) => identify(services, proof),
  }
}

async function identify(services: Services, proof: DirectProof): Promise<ProviderIdentity> {
  const code = (proof.parameters['code'] ?? '').trim()
  if (code === '') throw codeMissing()
  if (code.length > MAX_CODE) throw codeWrong()
  // A code does not name a user, so all guesses count together.
  const guess = { kind: 'wechat-code', subject: '', address: proof.address }
  const issuer = addressOf(services)
  const subject = await services.guesses.judge(guess, () => useCode(services, { issuer, code }))
  if (subject === undefined) throw codeWrong()
  return { subject, issuer, display_name: 'WeChat User' }
}

function addressOf({ options }: Pick<Services, 'options'>): string {
  return options.get<string>('WeChatServerAddress')
}

/** A code, and the server that is asked about it. */
interface Question {
  issuer: string
  code: string
}

/** Returns the user of a code, once: the server would answer again for somebody who has seen the code. */
async function useCode(services: Services, question: Question): Promise<string | undefined> {
  const subject = await ask(services, question)
  if (subject === undefined) return undefined
  const isFirst = await services.accounts.codes.spend('wechat', question.code, CODE_SECONDS)
  return isFirst ? subject : undefined
}

async function ask(
  { fetch, options }: Services,
  { issuer, code }: Question,
): Promise<string | undefined> {
  const { status, body } = await fetch(
    {
      method: 'GET',
      url: `${issuer}/api/wechat/user?code=${encodeURIComponent(code)}`,
      // The token is sent without a scheme.
      headers: { authorization: options.get<string>('WeChatServerToken') },
    },
    { firstByteTimeoutMs: 5_000 },
  )
  if (status !== 200 || !isObject(body)) throw unreadable({ status })
  const { success, data } = body
  return success === true && typeof data === 'string' && data !== '' ? data : undefined
}
