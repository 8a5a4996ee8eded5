import { IconHistory } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/log',
      title: 'title',
      menu: { group: 'console', order: 40, icon: IconHistory },
      load: () => import('./log-screen.tsx'),
    },
  ],
  tables: [
    {
      id: 'users',
      rowActions: [
        {
          id: 'usage',
          label: 'toUsage',
          access: 'admin',
          link: (user) => usageOf('username', user['username']),
        },
      ],
    },
    {
      id: 'channels',
      rowActions: [
        {
          id: 'usage',
          label: 'toUsage',
          access: 'admin',
          link: (channel) => usageOf('channel', channel['id']),
        },
      ],
    },
    {
      id: 'tokens',
      rowActions: [
        { id: 'usage', label: 'toUsage', link: (token) => usageOf('token_name', token['name']) },
      ],
    },
  ],
  settings: [
    {
      id: 'clear',
      tab: 'operation',
      section: 'logs',
      load: () => import('./clear-logs.tsx'),
    },
  ],
} satisfies ConsolePlugin

/** A link to the log with one filter, under the name that the API uses. */
function usageOf(filter: string, value: unknown): string {
  return `/log?${new URLSearchParams({ [filter]: String(value) }).toString()}`
}
