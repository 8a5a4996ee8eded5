// The modules that the console shares with external plugins. Imported dynamically only, so that the console's own
// chunks contain just what the console uses. Keep it in step with build/console-sdk.ts.
import * as arco from '@arco-design/web-react'
import * as icons from '@arco-design/web-react/icon'
import * as react from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import * as reactDom from 'react-dom'
import * as zustand from 'zustand'
import * as ownConsole from '../index.ts'
import { containedReact } from './contained-react.ts'
import * as router from './shared-router.ts'

// An external plugin may use any component, so all style sheets of Arco are loaded here.
import.meta.glob('../../node_modules/@arco-design/web-react/es/*/style/css.js', { eager: true })

export default {
  react: containedReact(react),
  'react/jsx-runtime': jsxRuntime,
  'react-dom': reactDom,
  'react-router-dom': router,
  zustand,
  '@arco-design/web-react': arco,
  '@arco-design/web-react/icon': icons,
  'tollgate/console': ownConsole,
}
