import { IconHistory } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/log',
      title: 'title',
      menu: { group: 'console', order: 40, icon: IconHistory },
      load: () => import('./log-screen.tsx'),
    },
  ],
  settings: [
    {
      id: 'clear',
      tab: 'operation',
      section: 'logs',
      load: () => import('./clear-logs.tsx'),
    },
  ],
} satisfies ConsolePlugin
