import { IconGithub } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  signInMethods: [{ id: 'github', order: 10, icon: IconGithub }],
} satisfies ConsolePlugin
