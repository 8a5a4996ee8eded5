import { IconIdcard } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  signInMethods: [{ id: 'oidc', order: 20, icon: IconIdcard }],
} satisfies ConsolePlugin
