import { errorType, type OptionAction, type PluginServices } from '#core'
import { isMailAddress } from './mail-address.ts'
import type { Mailer } from './mailer.ts'
import { testMail } from './templates.ts'

const noReceiver = errorType('mail.no_receiver', 400, {
  en: 'Enter the address that the test mail goes to.',
  zh: '请输入测试邮件的收件地址。',
})

/** Sends a mail with the settings in the form, and shows the server's reply. */
export function testAction(
  { accounts, options }: Pick<PluginServices, 'accounts' | 'options'>,
  mailer: Mailer,
): OptionAction {
  return {
    id: 'mail-test',
    label: { en: 'Send test mail', zh: '发送测试邮件' },
    hint: {
      en: 'It is sent with the settings as they stand above, saved or not. Empty: to the address of your account.',
      zh: '使用上方当前填写的设置发送，无需先保存。留空则发送到您账户的邮箱。',
    },
    input: {
      label: { en: 'Send a test mail', zh: '发送测试邮件' },
      placeholder: { en: 'Your own address', zh: '您自己的邮箱' },
    },
    options: ['SMTPServer', 'SMTPPort', 'SMTPSSLEnabled', 'SMTPAccount', 'SMTPToken', 'SMTPFrom'],
    async run(values, { input, language, userId }) {
      const to = input.toLowerCase() || ((await accounts.find(userId))?.email ?? '')
      if (!isMailAddress(to)) throw noReceiver({}, { field: 'email' })
      const words = testMail(options.get<string>('SystemName'), language)
      const answer = await mailer.prove({ to, ...words }, values)
      return {
        ok: true,
        message: {
          en: `Sent to ${to}. The server answered: ${answer}`,
          zh: `已发送至 ${to}，服务器返回：${answer}`,
        },
      }
    },
  }
}
