import { IconDesktop } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/live',
      title: 'title',
      access: 'admin',
      menu: { group: 'admin', order: 45, icon: IconDesktop },
      load: () => import('./live-screen.tsx'),
    },
  ],
  tables: [
    {
      id: 'channels',
      columns: [
        {
          id: 'failure',
          title: 'failing.last',
          access: 'admin',
          isOptional: true,
          load: () => import('./last-failure.tsx'),
        },
      ],
    },
  ],
} satisfies ConsolePlugin
