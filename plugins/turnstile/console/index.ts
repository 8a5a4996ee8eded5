import type { ConsolePlugin } from '#console'

export default {
  botChecks: [
    {
      id: 'turnstile',
      isEnabled: (status) => status['turnstile_check'] === true,
      load: () => import('./bot-check.tsx'),
    },
  ],
  settings: [
    {
      id: 'turnstile-keys',
      tab: 'system',
      section: 'bot-check',
      options: ['TurnstileCheckEnabled'],
      load: () => import('./keys-part.tsx'),
    },
  ],
} satisfies ConsolePlugin
