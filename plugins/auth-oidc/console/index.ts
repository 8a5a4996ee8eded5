import { IconIdcard } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  signInMethods: [{ id: 'oidc', order: 20, icon: IconIdcard }],
  settings: [
    { id: 'oidc-check', tab: 'system', section: 'oidc', load: () => import('./check-part.tsx') },
  ],
} satisfies ConsolePlugin
