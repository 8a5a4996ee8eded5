import { IconUserGroup } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  signInMethods: [{ id: 'linuxdo', order: 30, icon: IconUserGroup }],
} satisfies ConsolePlugin
