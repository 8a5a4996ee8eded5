import { IconRobot } from '@arco-design/web-react/icon'
import { chatLinksOf, type ConsolePlugin } from '#console'

export default {
  screens: [
    {
      path: '/chat/:id?',
      title: 'title',
      frame: 'plain',
      load: () => import('./chat-screen.tsx'),
    },
    {
      path: '/chat2link',
      title: 'title',
      frame: 'plain',
      load: () => import('./chat2link-screen.tsx'),
    },
  ],
  menu: [
    {
      id: 'chats',
      label: 'menu',
      group: 'playground',
      order: 20,
      icon: IconRobot,
      children: ({ status }) =>
        chatLinksOf(status?.chats).map(({ name }, at) => ({ label: name, link: `/chat/${at}` })),
    },
  ],
} satisfies ConsolePlugin
