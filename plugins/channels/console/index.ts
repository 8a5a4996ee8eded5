import { IconStorage } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

// One loader for all three: the drawer has an address of its own and opens over the list.
const load = () => import('./channels-screen.tsx')

export default {
  screens: [
    {
      path: '/channel',
      title: 'title',
      access: 'admin',
      menu: { group: 'admin', order: 10, icon: IconStorage },
      load,
    },
    { path: '/channel/add', title: 'add', access: 'admin', load },
    { path: '/channel/edit/:id', title: 'editTitle', access: 'admin', load },
  ],
} satisfies ConsolePlugin
