import { IconSafe } from '@arco-design/web-react/icon'
import type { ConsolePlugin } from '#console'

export default {
  signInMethods: [
    {
      id: 'passkey',
      order: 5,
      icon: IconSafe,
      label: 'name',
      // Hidden in browsers without passkeys.
      isEnabled: (status) =>
        status['passkey_login'] === true && 'PublicKeyCredential' in globalThis,
      load: () => import('./sign-in-button.tsx'),
    },
  ],
  bindings: [
    {
      id: 'passkeys',
      order: 5,
      isFactor: true,
      load: () => import('./passkey-rows.tsx'),
    },
  ],
} satisfies ConsolePlugin
