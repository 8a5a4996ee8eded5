import { IconApps } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from 'tollgate/console'
import en from './en.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

export default {
  screens: [
    {
      path: '/acme',
      title: 'title',
      access: 'admin',
      menu: { group: 'admin', order: 95, icon: IconApps },
      load: () => import('./cards-screen.tsx'),
    },
  ],
  texts: { en, zh },
} satisfies ConsolePlugin
