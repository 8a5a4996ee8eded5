import { IconApps } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/plugin',
      title: 'title',
      access: 'options',
      menu: { group: 'admin', order: 50, icon: IconApps },
      load: () => import('./plugins-screen.tsx'),
    },
  ],
} satisfies ConsolePlugin
