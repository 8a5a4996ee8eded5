import { IconUser } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/personal',
      title: 'title',
      menu: { group: 'personal', order: 30, icon: IconUser },
      load: () => import('./personal-screen.tsx'),
    },
    // Where the server lets admins go who lack what the site asks of them.
    { path: '/second-factor', title: 'needed.title', load: () => import('./factor-screen.tsx') },
    // Where the own account stood before; older links and consoles lead there.
    { path: '/user/edit', title: 'title', load: () => import('./moved-screen.tsx') },
  ],
} satisfies ConsolePlugin
