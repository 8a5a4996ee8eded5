import { IconSend } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  signInMethods: [
    {
      id: 'telegram',
      order: 50,
      icon: IconSend,
      load: () => import('./sign-in-button.tsx'),
      loadBinding: () => import('./bind-button.tsx'),
    },
  ],
} satisfies ConsolePlugin
