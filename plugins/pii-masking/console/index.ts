import { IconEyeInvisible } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/pii-masking',
      title: 'title',
      access: 'admin',
      menu: { group: 'admin', order: 52, label: 'menu', icon: IconEyeInvisible },
      load: () => import('./masking-screen.tsx'),
    },
  ],
  widgets: [
    {
      id: 'masked',
      title: 'card.title',
      access: 'admin',
      order: 120,
      size: 'small',
      load: () => import('./masked-card.tsx'),
    },
  ],
} satisfies ConsolePlugin
