import { IconBook } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from 'tollgate/console'
import en from './en.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

export default {
  screens: [
    {
      path: '/acme',
      title: 'title',
      menu: { group: 'personal', order: 95, icon: IconBook },
      load: () => import('./notes-screen.tsx'),
    },
  ],
  // A card of the overview.
  widgets: [
    {
      id: 'acme',
      title: 'title',
      order: 910,
      size: 'small',
      load: () => import('./notes-card.tsx'),
    },
  ],
  texts: { en, zh },
} satisfies ConsolePlugin
