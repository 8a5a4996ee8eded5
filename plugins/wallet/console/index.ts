import { IconArchive, IconFile } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/topup',
      title: 'title',
      menu: { group: 'personal', order: 10, icon: IconArchive },
      load: () => import('./wallet-screen.tsx'),
    },
    {
      path: '/topup/orders',
      title: 'orders.title',
      access: 'admin',
      menu: { group: 'admin', order: 25, icon: IconFile },
      load: () => import('./orders-screen.tsx'),
    },
  ],
  drawers: [
    {
      id: 'orders',
      drawer: 'user',
      title: 'userOrders.title',
      access: 'admin',
      order: 30,
      load: () => import('./user-orders.tsx'),
    },
  ],
} satisfies ConsolePlugin
