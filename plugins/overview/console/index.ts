import { IconHome } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/overview',
      title: 'title',
      menu: { group: 'console', order: 5, icon: IconHome },
      load: () => import('./overview-screen.tsx'),
    },
  ],
  widgets: [
    {
      id: 'checklist',
      title: 'checklist.title',
      access: 'admin',
      order: 10,
      size: 'wide',
      load: () => import('./checklist.tsx'),
    },
    {
      id: 'spend',
      title: 'spend.title',
      access: 'admin',
      order: 20,
      size: 'small',
      load: () => import('./spend.tsx'),
    },
    {
      id: 'calls',
      title: 'calls.title',
      access: 'admin',
      order: 30,
      size: 'small',
      load: () => import('./calls.tsx'),
    },
    {
      id: 'errors',
      title: 'errors.title',
      access: 'admin',
      order: 40,
      size: 'small',
      load: () => import('./error-rate.tsx'),
    },
    {
      id: 'channels-off',
      title: 'channels.title',
      access: 'admin',
      order: 50,
      size: 'medium',
      load: () => import('./channels-off.tsx'),
    },
    {
      id: 'low-balances',
      title: 'balances.title',
      access: 'admin',
      order: 60,
      size: 'medium',
      load: () => import('./low-balances.tsx'),
    },
    {
      id: 'own-balance',
      title: 'own.balance',
      order: 70,
      size: 'small',
      load: () => import('./own-balance.tsx'),
    },
    {
      id: 'own-spend',
      title: 'own.spend',
      order: 80,
      size: 'small',
      load: () => import('./own-spend.tsx'),
    },
    {
      id: 'own-calls',
      title: 'own.calls',
      order: 90,
      size: 'small',
      load: () => import('./own-calls.tsx'),
    },
    {
      id: 'start',
      title: 'start.title',
      order: 100,
      size: 'medium',
      load: () => import('./start.tsx'),
    },
    {
      id: 'models',
      title: 'models.title',
      order: 110,
      size: 'medium',
      load: () => import('./models.tsx'),
    },
  ],
} satisfies ConsolePlugin
