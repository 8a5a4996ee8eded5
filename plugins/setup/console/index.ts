import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/setup',
      title: 'setup.title',
      access: 'public',
      frame: 'plain',
      load: () => import('./setup-screen.tsx'),
    },
  ],
} satisfies ConsolePlugin
