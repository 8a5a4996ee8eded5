import type { SecretService } from '../contract/services.ts'
import type { UserSetting } from '../contract/account-services.ts'
import { parseSetting } from '../data/models/user-setting.ts'

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
