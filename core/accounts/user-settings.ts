import { isObject } from '../contract/json.ts'
import type { SecretService } from '../contract/services.ts'
import type { UserSetting } from '../contract/account-services.ts'

/** The setting without the webhook secret, as anybody but its owner may see it. */
export function publicSetting(text: string): string {
  if (text === '') return ''
  const { webhook_secret: _secret, ...rest } = parseSetting(text)
  return JSON.stringify(rest)
}

/** The secret decrypted; for the owner and the notifiers. */
export function openSetting(text: string, secrets: SecretService): UserSetting {
  const setting = parseSetting(text)
  if (!setting.webhook_secret) return setting
  return { ...setting, webhook_secret: secrets.decrypt(setting.webhook_secret) }
}

/** The text to store, the secret encrypted. */
export function sealSetting(setting: UserSetting, secrets: SecretService): string {
  const { webhook_secret: secret, ...rest } = setting
  return JSON.stringify(secret ? { ...rest, webhook_secret: secrets.encrypt(secret) } : rest)
}

function parseSetting(text: string): UserSetting {
  try {
    const setting: unknown = JSON.parse(text)
    return isObject(setting) ? setting : {}
  } catch {
    // Never saved, or a text of an imported database that is no JSON: both are an empty setting.
    return {}
  }
}
