import { definePlugin } from '#core'
import { createMailer } from './mailer.ts'
import { checkMailOption, mailOptions } from './options.ts'
import { mailRoutes } from './routes.ts'
import { noticeMail } from './templates.ts'
import { testAction } from './test-action.ts'

export default definePlugin({
  id: 'mail',
  summary: {
    en: 'Mail by SMTP: verification codes, password reset, notices',
    zh: '通过 SMTP 发送邮件：验证码、重置密码与通知',
  },
  options: mailOptions(checkMailOption),
  server(services) {
    const { mail, notifiers, optionActions, options, routes, statusFields } = services
    const mailer = createMailer(services)
    mail.use((message) => mailer.send(message))
    notifiers.add({
      id: 'email',
      name: { en: 'E-mail', zh: '邮件' },
      async send({ to, title, content, values }) {
        if (to.email === undefined || !mailer.isReady()) return
        await mailer.send({ to: to.email, ...noticeMail({ title, content, values }) })
      },
    })
    statusFields.add({
      id: 'email_verification',
      value: () => options.get<boolean>('EmailVerificationEnabled'),
    })
    statusFields.add({ id: 'password_reset_enabled', value: () => mailer.isReady() })
    optionActions.add(testAction(services, mailer))
    routes.add((app) => mailRoutes(app, services, mailer))
  },
})
