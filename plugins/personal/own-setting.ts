import {
  errorType,
  type AccountService,
  type NotificationService,
  type PluginServices,
  type UserSetting,
} from '#core'
import type { SettingBody } from './schema.ts'

const notifyTypeWrong = errorType<{ ways: string }>('personal.notify_type', 400, {
  en: 'notify_type must be one of: {ways}.',
  zh: '通知类型必须是以下之一：{ways}。',
})
const thresholdWrong = errorType<{ max: number }>('personal.quota_warning_threshold', 400, {
  en: 'The warning threshold must be above 0 and at most {max}.',
  zh: '预警阈值必须大于 0，且不超过 {max}。',
})
const webhookMissing = errorType('personal.webhook_missing', 400, {
  en: 'Enter the webhook address.',
  zh: '请输入 Webhook 地址。',
})
const webhookNotHttps = errorType('personal.webhook_not_https', 400, {
  en: 'The webhook address must be a valid https address.',
  zh: 'Webhook 地址必须是有效的 https 地址。',
})
const emailWrong = errorType('personal.notification_email', 400, {
  en: 'The notification address is not a valid e-mail address.',
  zh: '通知邮箱地址无效。',
})

/** Exactly one @, and no spaces or line breaks, because a line break would end the mail's header. */
const EMAIL = /^[^\s@]+@[^\s@]+$/

/** Fields that are not sent stay, those of the other notification type included.
 *  @throws personal.* naming the field */
export async function saveOwnSetting(
  { accounts, notifications }: Pick<PluginServices, 'accounts' | 'notifications'>,
  id: number,
  body: SettingBody,
): Promise<void> {
  const sent = Object.fromEntries(
    FIELDS.flatMap((field) => {
      const value = body[field]
      if (value === null || value === undefined) return []
      return [[field, typeof value === 'string' ? value.trim() : value]]
    }),
  )
  await accounts.changeSetting(id, (saved) => {
    const setting: UserSetting = { ...saved, ...sent }
    // A choice stays while its plugin is off; mail is used meanwhile.
    if (setting.notify_type !== saved.notify_type) checkWay(setting, notifications)
    check(setting)
    return setting
  })
}

/** The language of mails and notices: Chinese for any variant of it, else English. */
export async function saveLanguage(
  accounts: AccountService,
  id: number,
  tag: string,
): Promise<void> {
  const language = /^zh(?:-|$)/i.test(tag) ? 'zh' : 'en'
  const setting = await accounts.settingOf(id)
  if (setting.language === language) return
  await accounts.changeSetting(id, (saved) => ({ ...saved, language }))
}

const FIELDS = [
  'notify_type',
  'quota_warning_threshold',
  'webhook_url',
  'webhook_secret',
  'notification_email',
  'accept_unset_model_ratio_model',
] as const satisfies readonly (keyof UserSetting)[]

function checkWay({ notify_type: way = 'email' }: UserSetting, service: NotificationService): void {
  const ways = service.ways().map(({ id }) => id)
  if (way === 'email' || ways.includes(way)) return
  throw notifyTypeWrong({ ways: ways.join(', ') }, { field: 'notify_type' })
}

function check(setting: UserSetting): void {
  const type = setting.notify_type ?? 'email'
  const threshold = setting.quota_warning_threshold
  if (threshold !== undefined && !(threshold > 0 && threshold <= Number.MAX_SAFE_INTEGER)) {
    throw thresholdWrong({ max: Number.MAX_SAFE_INTEGER }, { field: 'quota_warning_threshold' })
  }
  const url = setting.webhook_url ?? ''
  if (url === '' && type === 'webhook') throw webhookMissing({}, { field: 'webhook_url' })
  if (url !== '' && !isHttps(url)) throw webhookNotHttps({}, { field: 'webhook_url' })
  const email = setting.notification_email ?? ''
  if (email !== '' && !EMAIL.test(email)) throw emailWrong({}, { field: 'notification_email' })
}

function isHttps(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:'
}
