import { IconEyeInvisible } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from 'tollgate/console'
import en from './en.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

export default {
  screens: [
    {
      path: '/veil',
      title: 'title',
      access: 'admin',
      menu: { group: 'admin', order: 95, icon: IconEyeInvisible },
      load: () => import('./veil-screen.tsx'),
    },
  ],
  widgets: [
    {
      id: 'veil',
      title: 'title',
      access: 'admin',
      order: 920,
      size: 'small',
      load: () => import('./veil-card.tsx'),
    },
  ],
  texts: { en, zh },
} satisfies ConsolePlugin
