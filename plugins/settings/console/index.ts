import { IconSettings } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/setting',
      title: 'title',
      access: 'options',
      menu: { group: 'admin', order: 60, icon: IconSettings },
      load: () => import('./settings-screen.tsx'),
    },
  ],
  settings: [
    {
      id: 'issuers',
      tab: 'system',
      section: 'sign-in',
      load: () => import('./issuers-part.tsx'),
    },
    {
      id: 'version',
      tab: 'other',
      section: 'version',
      load: () => import('./version-part.tsx'),
    },
  ],
} satisfies ConsolePlugin
