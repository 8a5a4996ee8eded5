import { defineOptions, definePlugin, Type } from '#core'
import { checkAction } from './check-action.ts'
import { turnstileRoutes } from './routes.ts'
import { createTurnstile } from './turnstile.ts'

const section = { tab: 'system', section: 'bot-check' }

export default definePlugin({
  id: 'turnstile',
  summary: { en: 'Bot check by Cloudflare Turnstile', zh: 'Turnstile 人机验证' },
  options: defineOptions(
    {
      TurnstileCheckEnabled: Type.Boolean({ default: false, 'x-ui': section }),
      TurnstileSiteKey: Type.String({ default: '', maxLength: 200, 'x-ui': section }),
      TurnstileSecretKey: Type.String({
        default: '',
        maxLength: 200,
        'x-ui': { ...section, secret: true },
      }),
    },
    {
      preconditions: [
        { key: 'TurnstileCheckEnabled', needs: ['TurnstileSiteKey', 'TurnstileSecretKey'] },
      ],
    },
  ),
  origins: {
    script: ['https://challenges.cloudflare.com'],
    frame: ['https://challenges.cloudflare.com'],
    connect: ['https://challenges.cloudflare.com'],
  },
  server(services) {
    const { botChecks, optionActions, options, routes, statusFields } = services
    const turnstile = createTurnstile(services)
    const isEnabled = () => options.get<boolean>('TurnstileCheckEnabled')
    statusFields.add({ id: 'turnstile_check', value: isEnabled })
    statusFields.add({
      id: 'turnstile_site_key',
      value: () => options.get<string>('TurnstileSiteKey'),
    })
    botChecks.add({
      id: 'turnstile',
      isEnabled,
      check: (token, address) =>
        turnstile.check(token, { secret: options.get<string>('TurnstileSecretKey'), address }),
    })
    optionActions.add(checkAction(turnstile))
    routes.add((app) => turnstileRoutes(app, services, turnstile))
  },
})
