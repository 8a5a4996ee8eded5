import { IconOrderedList } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/task',
      title: 'title',
      menu: {
        group: 'console',
        order: 60,
        icon: IconOrderedList,
        isVisible: ({ status }) => status?.['enable_task'] === true,
      },
      load: () => import('./task-screen.tsx'),
    },
  ],
} satisfies ConsolePlugin
