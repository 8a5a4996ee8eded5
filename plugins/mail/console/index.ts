import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/reset',
      title: 'reset.title',
      access: 'public',
      frame: 'plain',
      load: () => import('./reset-screen.tsx'),
    },
    {
      path: '/user/reset',
      title: 'confirm.title',
      access: 'public',
      frame: 'plain',
      load: () => import('./confirm-screen.tsx'),
    },
  ],
  bindings: [
    {
      id: 'email',
      order: 5,
      load: () => import('./email-binding.tsx'),
    },
  ],
} satisfies ConsolePlugin
