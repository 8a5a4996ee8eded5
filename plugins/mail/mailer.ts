import {
  concurrencyLimit,
  errorType,
  type OptionReader,
  type PluginServices,
  siteAddress,
} from '#core'
import { readSettings, sendBySmtp, type Mail } from './smtp.ts'
import { page } from './templates.ts'

export const incomplete = errorType('mail.incomplete', 400, {
  en: 'Mail is not set up here. An administrator enters the mail server and the sender in the system settings.',
  zh: '本站尚未配置邮件服务，请管理员在系统设置中填写邮件服务器和发件地址。',
})
const failed = errorType<{ reason: string }>('mail.failed', 400, {
  en: 'The mail could not be sent: {reason}',
  zh: '邮件发送失败：{reason}',
})
const busy = errorType('mail.busy', 503, {
  en: 'The mail server does not keep up with the mails that are to be sent. Try again in a minute.',
  zh: '待发邮件过多，邮件服务器处理不及，请一分钟后重试。',
})

/** Limited, because a server that does not answer holds a connection for ten seconds. */
const MOST_AT_ONCE = 10
const MOST_WAITING = 100

export type MailServices = Pick<PluginServices, 'environment' | 'log' | 'options'>

export interface Mailer {
  isReady(): boolean
  /** @throws mail.incomplete, mail.failed, mail.busy */
  send(mail: Mail): Promise<void>
  /** Sends with these settings. Returns the server's literal answer, for whoever sets it up. @throws mail.incomplete, mail.failed */
  prove(mail: Mail, settings: OptionReader): Promise<string>
}

export function createMailer({ environment, log, options }: MailServices): Mailer {
  const settingsNow = (from: OptionReader = options) => {
    const settings = readSettings(from)
    if (!settings) throw incomplete()
    return settings
  }
  const dress = (mail: Mail): Mail => ({
    ...mail,
    html: page(mail.html, {
      name: options.get<string>('SystemName'),
      address: siteAddress({ environment, options }),
    }),
  })
  const inTurn = concurrencyLimit(MOST_AT_ONCE, MOST_WAITING, () =>
    busy({}, { headers: { 'retry-after': '60' } }),
  )
  return {
    isReady: () => readSettings(options) !== undefined,
    async send(mail) {
      settingsNow()
      await inTurn(async () => {
        // The settings at the time when the mail is sent.
        const settings = settingsNow()
        try {
          await sendBySmtp(settings, dress(mail))
        } catch (error) {
          log.warn({ err: error }, 'a mail could not be sent')
          throw failed({ reason: publicReason(error) })
        }
      })
    },
    async prove(mail, from) {
      const settings = settingsNow(from)
      try {
        return await sendBySmtp(settings, dress(mail))
      } catch (error) {
        throw failed({ reason: error instanceof Error ? error.message : String(error) })
      }
    },
  }
}

/** Anybody may read it: the mail server's reply, without hosts and ports of the network. */
function publicReason(error: unknown): string {
  const { response, code } = error as { response?: unknown; code?: unknown }
  if (typeof response === 'string') return response.slice(0, 200)
  return typeof code === 'string' ? code : 'the mail server does not answer'
}
