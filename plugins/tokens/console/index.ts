import { IconSafe } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/token',
      title: 'title',
      menu: { group: 'console', order: 20, icon: IconSafe },
      load: () => import('./tokens-screen.tsx'),
    },
  ],
} satisfies ConsolePlugin
