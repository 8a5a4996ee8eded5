import { IconMessage } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/playground',
      title: 'title',
      menu: { group: 'playground', order: 10, icon: IconMessage },
      load: () => import('./playground-screen.tsx'),
    },
  ],
} satisfies ConsolePlugin
