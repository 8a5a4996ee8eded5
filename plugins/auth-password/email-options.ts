import { Type } from '#core'

const ui = (more: object) => ({ 'x-ui': { tab: 'system', section: 'email', ...more } })

/** Core applies these wherever an address is entered. */
export const emailOptions = {
  EmailDomainRestrictionEnabled: Type.Boolean({ default: false, ...ui({ order: 10 }) }),
  EmailDomainWhitelist: Type.String({
    default:
      'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com',
    maxLength: 16_384,
    ...ui({ order: 20, widget: 'tags' }),
  }),
  EmailAliasRestrictionEnabled: Type.Boolean({ default: false, ...ui({ order: 30 }) }),
}

const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/i

/** Checks the white list: domains, each once. */
export function checkEmailOption(
  key: string,
  value: unknown,
): { en: string; zh: string } | undefined {
  if (key !== 'EmailDomainWhitelist' || value === '') return undefined
  const domains = String(value)
    .split(',')
    .map((domain) => domain.trim().toLowerCase())
  const wrong = domains.find((domain) => domain.length > 253 || !DOMAIN.test(domain))
  if (wrong !== undefined) {
    const shown = wrong.slice(0, 80)
    return {
      en: `EmailDomainWhitelist: "${shown}" is not a domain such as example.com`,
      zh: `EmailDomainWhitelist：“${shown}”不是合法的域名，应如 example.com`,
    }
  }
  const twice = domains.find((domain, place) => domains.indexOf(domain) !== place)
  if (twice === undefined) return undefined
  return {
    en: `EmailDomainWhitelist: ${twice} is there twice`,
    zh: `EmailDomainWhitelist：${twice} 重复`,
  }
}
