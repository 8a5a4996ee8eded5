import { IconWechat } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  signInMethods: [
    {
      id: 'wechat',
      order: 40,
      icon: IconWechat,
      load: () => import('./sign-in-button.tsx'),
      loadBinding: () => import('./bind-button.tsx'),
    },
  ],
} satisfies ConsolePlugin
