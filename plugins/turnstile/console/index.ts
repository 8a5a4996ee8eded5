import type { ConsolePlugin } from '#console'

export default {
  botChecks: [
    {
      id: 'turnstile',
      isEnabled: (status) => status['turnstile_check'] === true,
      load: () => import('./bot-check.tsx'),
    },
  ],
} satisfies ConsolePlugin
