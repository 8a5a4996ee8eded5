import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/login',
      title: 'login.title',
      access: 'public',
      frame: 'plain',
      load: () => import('./login-screen.tsx'),
    },
    {
      path: '/register',
      title: 'register.title',
      access: 'public',
      frame: 'plain',
      load: () => import('./register-screen.tsx'),
    },
    {
      // Serves all providers, those of external plugins included.
      path: '/oauth/:provider',
      title: 'callback.title',
      access: 'public',
      frame: 'plain',
      load: () => import('./callback-screen.tsx'),
    },
  ],
} satisfies ConsolePlugin
