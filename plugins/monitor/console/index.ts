import { IconSearch, IconThunderbolt } from '@arco-design/web-react/icon'
import { type ConsolePlugin, mayAccess } from '#console'
import { siteOf } from './site.ts'

export default {
  screens: [
    {
      path: '/accessible',
      title: 'title',
      menu: {
        group: 'console',
        order: 70,
        icon: IconThunderbolt,
        // While the page is empty, only those who can configure it see it.
        isVisible: ({ status, user }) =>
          siteOf(status?.['monitor_link']) !== undefined || mayAccess(user, 'options'),
      },
      load: () => import('./monitor-screen.tsx'),
    },
  ],
  menu: [
    {
      id: 'token-query',
      label: 'tokenQuery',
      group: 'console',
      order: 30,
      icon: IconSearch,
      link: ({ status }) => siteOf(status?.['token_query_link']),
    },
  ],
} satisfies ConsolePlugin
