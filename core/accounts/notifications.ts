import { errorType } from '../contract/errors.ts'
import type { Notifier } from '../contract/plugin.ts'
import type {
  AccountService,
  Logger,
  MailService,
  Notice,
  NotificationService,
  RateLimitService,
} from '../contract/services.ts'

const mailNotConfigured = errorType('mail.not_configured', 400, {
  en: 'Mail is not set up. An administrator sets it in the system settings.',
  zh: '尚未配置邮件服务，请管理员在系统设置中配置。',
})

/** Mail, sent by whichever plugin provides a transport. */
export function createMail(): MailService {
  const transports: Parameters<MailService['use']>[0][] = []
  return {
    async send(message) {
      const transport = transports.at(-1)
      if (!transport) throw mailNotConfigured()
      await transport(message)
    },
    use(transport) {
      transports.push(transport)
      return () => {
        const index = transports.indexOf(transport)
        if (index >= 0) transports.splice(index, 1)
      }
    },
  }
}

export interface NotificationDeps {
  accounts: AccountService
  rateLimits: RateLimitService
  notifiers: () => readonly Notifier[]
  log: Logger
  limitCount: number
  limitMinutes: number
}

/** Notifies users in the way that their settings choose; too many notices of one kind are dropped. */
export function createNotifications(deps: NotificationDeps): NotificationService {
  const notify: NotificationService['notify'] = async (userId, notice) => {
    try {
      const key = `notify:${notice.kind}:${userId}`
      const windowSeconds = deps.limitMinutes * 60
      const { isAllowed } = await deps.rateLimits.take(key, deps.limitCount, windowSeconds)
      if (isAllowed) await deliver(deps, userId, notice)
    } catch (error) {
      deps.log.warn({ err: error, userId, kind: notice.kind }, 'a notification was not delivered')
    }
  }
  return {
    notify,
    ways: () => deps.notifiers().map(({ id, name }) => ({ id, name: name ?? { en: id, zh: id } })),
    async notifyAdmins(notice) {
      try {
        const admins = await deps.accounts.adminIds()
        await Promise.all(admins.map((id) => notify(id, notice)))
      } catch (error) {
        deps.log.warn({ err: error, kind: notice.kind }, 'no admin was told')
      }
    },
  }
}

async function deliver(
  { accounts, notifiers }: NotificationDeps,
  userId: number,
  { kind, title, content, values }: Notice,
): Promise<void> {
  const [setting, user] = await Promise.all([accounts.settingOf(userId), accounts.find(userId)])
  // The plugin of the chosen way may be off.
  const notifier = [setting.notify_type, 'email']
    .map((way) => notifiers().find(({ id }) => id === way))
    .find((found) => found !== undefined)
  if (!notifier || !user) return
  // An imported setting may contain a region.
  const language = setting.language?.startsWith('zh') ? 'zh' : 'en'
  const email = setting.notification_email || user.email
  await notifier.send({
    to: {
      userId,
      ...(email ? { email } : {}),
      ...(setting.webhook_url ? { webhookUrl: setting.webhook_url } : {}),
      ...(setting.webhook_secret ? { webhookSecret: setting.webhook_secret } : {}),
    },
    language,
    kind,
    title: title[language],
    content: content[language],
    values: values.map((value) => (typeof value === 'string' ? value : value[language])),
  })
}
