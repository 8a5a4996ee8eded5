import { IconSave } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/response-cache',
      title: 'title',
      access: 'admin',
      menu: { group: 'admin', order: 53, icon: IconSave },
      load: () => import('./cache-screen.tsx'),
    },
  ],
  widgets: [
    {
      id: 'cache-hits',
      title: 'card.title',
      access: 'admin',
      order: 130,
      size: 'small',
      load: () => import('./hits-card.tsx'),
    },
  ],
} satisfies ConsolePlugin
