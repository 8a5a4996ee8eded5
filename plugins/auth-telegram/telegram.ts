// The Telegram login widget. Source: core.telegram.org/widgets/login, section "Checking authorization".
import { createHash, createHmac } from 'node:crypto'
import { type AuthProvider, errorType, isSameSecret, type PluginServices } from '#core'

type Fields = Readonly<Record<string, string>>

const invalid = errorType('auth_telegram.invalid', 403, {
  en: 'This does not come from Telegram. Start the sign-in again.',
  zh: '无效的 Telegram 登录请求，请重新登录。',
})
const tooOld = errorType('auth_telegram.too_old', 403, {
  en: 'This Telegram sign-in is too old. Start it again.',
  zh: 'Telegram 登录请求已过期，请重新登录。',
})

const used = errorType('auth_telegram.used', 403, {
  en: 'This Telegram sign-in was used already. Start it again.',
  zh: '该 Telegram 登录请求已被使用，请重新登录。',
})

/** The window passes on what it has just signed. Older data, from a history or a log, is refused. */
const LONGEST_SECONDS = 10 * 60
/** Tolerance for clocks that are wrong. */
const AHEAD_SECONDS = 5 * 60
/** The documented fields of the widget; consoles add some of their own. */
const documented = ['id', 'first_name', 'last_name', 'username', 'photo_url', 'auth_date']

type Services = Pick<PluginServices, 'accounts' | 'options'>

export function telegramProvider(services: Services): AuthProvider {
  const { options } = services
  return {
    id: 'telegram',
    kind: 'direct',
    name: { en: 'Telegram', zh: 'Telegram' },
    isEnabled: () => options.get<boolean>('TelegramOAuthEnabled'),
    issuer: { configured: () => signerOf(options.get<string>('TelegramBotToken')) },
    // The signature covers the person but not the purpose, so an unknown person has to sign in and bind the account.
    createsAccounts: false,
    // The widget of an older console redirects the browser to this address.
    bindsByNavigation: true,
    identify: async ({ parameters }) => {
      const token = options.get<string>('TelegramBotToken')
      const subject = personOf(parameters, token, Date.now())
      await useOnce(services, parameters)
      return { subject, issuer: signerOf(token) }
    },
  }
}

/** Identifies the data by its signature, which added fields do not change.
 *  @throws auth_telegram.used */
async function useOnce({ accounts }: Services, { hash = '' }: Fields): Promise<void> {
  const lifetime = LONGEST_SECONDS + AHEAD_SECONDS
  if (!(await accounts.codes.spend('telegram', hash, lifetime))) throw used()
}

/** The public part of the token, which the widget needs. */
export function botIdOf(token: string): string {
  return /^\d{1,20}(?=:)/.exec(token)?.[0] ?? ''
}

/** A user has the same id for all bots, but whoever sets the token can sign for anybody. So identities belong to the
 *  token, of which a digest is stored. Empty without a token. */
export function signerOf(token: string): string {
  if (token === '') return ''
  const mark = createHash('sha256').update(`issuer\n${token}`).digest('hex').slice(0, 16)
  return `bot ${botIdOf(token)} (${mark})`
}

/** The user whom the signed fields name.
 *  @throws auth_telegram.invalid, auth_telegram.too_old */
export function personOf(fields: Fields, botToken: string, nowMs: number): string {
  const { id = '', auth_date: date = '', hash = '' } = fields
  const isSound = /^\d{1,20}$/.test(id) && /^\d{1,12}$/.test(date) && isOfLines(fields)
  if (botToken === '' || !isSound || !isSigned(fields, botToken, hash)) throw invalid()
  const ageSeconds = nowMs / 1000 - Number(date)
  if (ageSeconds > LONGEST_SECONDS || ageSeconds < -AHEAD_SECONDS) throw tooOld()
  return id
}

/** The signature covers lines, so a line break in a name could be used to forge another user's id. */
function isOfLines(fields: Fields): boolean {
  return !Object.entries(fields)
    .flat()
    .some((text) => text.includes('\n'))
}

function isSigned(fields: Fields, botToken: string, hash: string): boolean {
  const all = Object.keys(fields).filter((name) => name !== 'hash')
  const named = documented.filter((name) => fields[name] !== undefined)
  const key = createHash('sha256').update(botToken).digest()
  return [all, named].some((names) => isSameSecret(hash, sign(fields, names, key)))
}

function sign(fields: Fields, names: readonly string[], key: Uint8Array): string {
  const lines = [...names].sort().map((name) => `${name}=${fields[name]}`)
  return createHmac('sha256', key).update(lines.join('\n')).digest('hex')
}
