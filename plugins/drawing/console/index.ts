import { IconImage } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/midjourney',
      title: 'title',
      menu: {
        group: 'console',
        order: 50,
        icon: IconImage,
        isVisible: ({ status }) => status?.['enable_drawing'] === true,
      },
      load: () => import('./drawing-screen.tsx'),
    },
  ],
} satisfies ConsolePlugin
