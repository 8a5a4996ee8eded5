import { IconCalendarClock } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/budgets',
      title: 'title',
      access: 'admin',
      menu: { group: 'admin', order: 35, icon: IconCalendarClock },
      load: () => import('./budgets-screen.tsx'),
    },
  ],
  widgets: [
    {
      id: 'own-budgets',
      title: 'own.title',
      order: 140,
      size: 'medium',
      load: () => import('./own-budgets.tsx'),
    },
  ],
} satisfies ConsolePlugin
