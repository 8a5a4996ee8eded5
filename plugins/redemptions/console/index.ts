import { IconGift } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/redemption',
      title: 'title',
      access: 'admin',
      menu: { group: 'admin', order: 20, label: 'menu', icon: IconGift },
      load: () => import('./redemptions-screen.tsx'),
    },
  ],
} satisfies ConsolePlugin
