import { IconTags } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/pricing',
      title: 'title',
      access: 'public',
      menu: { group: 'top', order: 30, icon: IconTags },
      load: () => import('./pricing-screen.tsx'),
    },
  ],
} satisfies ConsolePlugin
