import { IconUserGroup } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

// One loader for both addresses: the drawer has its own address and opens above the list.
const load = () => import('./users-screen.tsx')

export default {
  screens: [
    {
      path: '/user',
      title: 'title',
      access: 'admin',
      menu: { group: 'admin', order: 30, icon: IconUserGroup },
      load,
    },
    { path: '/user/edit/:id', title: 'editTitle', access: 'admin', load },
  ],
} satisfies ConsolePlugin
