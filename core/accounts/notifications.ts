import { errorType } from '../contract/errors.ts'
import type { Notifier } from '../contract/plugin.ts'
import type {
  AccountService,
  Logger,
  MailService,
  NotificationService,
  RateLimitService,
} from '../contract/services.ts'

const mailNotConfigured = errorType('mail.not_configured', 400, {
  en: 'Mail is not set up. An administrator sets it in the system settings.',
  zh: '尚未配置邮件服务，请管理员在系统设置中配置。',
})

/** Mail by whichever plugin brings a transport. */
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

/** Notices to a user in the way that their setting names; a flood of one kind is dropped. */
export function createNotifications(deps: NotificationDeps): NotificationService {
  return {
    async notify(userId, message) {
      try {
        const allowed = await deps.rateLimits.take(
          `notify:${message.kind}:${userId}`,
          deps.limitCount,
          deps.limitMinutes * 60,
        )
        if (!allowed.isAllowed) return
        const [setting, user] = await Promise.all([
          deps.accounts.settingOf(userId),
          deps.accounts.find(userId),
        ])
        const notifier = deps
          .notifiers()
          .find((candidate) => candidate.id === (setting.notify_type ?? 'email'))
        if (!notifier || !user) return
        const email = setting.notification_email || user.email
        await notifier.send({
          to: {
            userId,
            ...(email ? { email } : {}),
            ...(setting.webhook_url ? { webhookUrl: setting.webhook_url } : {}),
            ...(setting.webhook_secret ? { webhookSecret: setting.webhook_secret } : {}),
          },
          kind: message.kind,
          title: message.title.en,
          content: message.content.en,
          values: message.values,
        })
      } catch (error) {
        deps.log.warn(
          { err: error, userId, kind: message.kind },
          'a notification was not delivered',
        )
      }
    },
  }
}
