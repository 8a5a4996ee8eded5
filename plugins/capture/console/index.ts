import { IconRecord } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/capture',
      title: 'title',
      access: 'root',
      menu: { group: 'admin', order: 54, icon: IconRecord },
      load: () => import('./capture-screen.tsx'),
    },
  ],
  tables: [
    {
      id: 'users',
      rowActions: [
        {
          id: 'captured',
          label: 'captured',
          access: 'root',
          link: ({ id }) => `/capture?user_id=${Number(id)}`,
        },
      ],
    },
  ],
  widgets: [
    {
      id: 'own-capture',
      title: 'own.title',
      order: 2,
      size: 'wide',
      load: () => import('./own-capture.tsx'),
    },
  ],
} satisfies ConsolePlugin
