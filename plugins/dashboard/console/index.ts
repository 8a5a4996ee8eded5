import { IconDashboard } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/detail',
      title: 'title',
      menu: {
        group: 'console',
        order: 10,
        icon: IconDashboard,
        isVisible: ({ status }) => status?.['enable_data_export'] === true,
      },
      load: () => import('./dashboard-screen.tsx'),
    },
  ],
} satisfies ConsolePlugin
