import { objectIn } from '../../contract/json.ts'
import type { UserSetting } from '../../contract/account-services.ts'

/** The setting without the webhook secret, as anybody but its owner may see it. */
export function publicSetting(text: string): string {
  if (text === '') return ''
  const { webhook_secret: _secret, ...rest } = parseSetting(text)
  return JSON.stringify(rest)
}

/** Never saved, or a text of an imported database that is no JSON: both are an empty setting. */
export function parseSetting(text: string): UserSetting {
  return objectIn(text) ?? {}
}
