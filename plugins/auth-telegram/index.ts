import { defineOptions, definePlugin, Type } from '#core'
import { botIdOf, telegramProvider } from './telegram.ts'

const section = { tab: 'system', section: 'telegram' }

export default definePlugin({
  id: 'auth-telegram',
  summary: { en: 'Sign-in with Telegram', zh: 'Telegram 登录' },
  options: defineOptions(
    {
      TelegramOAuthEnabled: Type.Boolean({ default: false, 'x-ui': section }),
      TelegramBotName: Type.String({ default: '', maxLength: 64, 'x-ui': section }),
      TelegramBotToken: Type.String({
        default: '',
        maxLength: 128,
        'x-ui': { ...section, secret: true },
      }),
    },
    { preconditions: [{ key: 'TelegramOAuthEnabled', needs: ['TelegramBotToken'] }] },
  ),
  origins: { script: ['https://telegram.org'], frame: ['https://oauth.telegram.org'] },
  server(services) {
    const { authProviders, options, statusFields } = services
    const isEnabled = () => options.get<boolean>('TelegramOAuthEnabled')
    statusFields.add({ id: 'telegram_oauth', value: isEnabled })
    statusFields.add({
      id: 'telegram_bot_name',
      value: () => options.get<string>('TelegramBotName'),
    })
    statusFields.add({
      id: 'telegram_bot_id',
      value: () => botIdOf(options.get<string>('TelegramBotToken')),
    })
    authProviders.add(telegramProvider(services))
  },
})
