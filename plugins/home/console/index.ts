import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/',
      title: 'home.title',
      access: 'public',
      frame: 'plain',
      menu: { group: 'top', order: 10 },
      load: () => import('./home-screen.tsx'),
    },
    {
      path: '/about',
      title: 'about.title',
      access: 'public',
      menu: { group: 'top', order: 50 },
      load: () => import('./about-screen.tsx'),
    },
  ],
} satisfies ConsolePlugin
