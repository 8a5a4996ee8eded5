// What screens loaded at run time share with the console. Reached only through a dynamic import, so that
// the console's own chunks stay as small as its own needs; keep in step with build/console-sdk.ts.
import * as arco from '@arco-design/web-react'
import * as icons from '@arco-design/web-react/icon'
import * as react from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import * as reactDom from 'react-dom'
import * as router from 'react-router-dom'
import * as zustand from 'zustand'
import * as ownConsole from '../index.ts'

export default {
  react,
  'react/jsx-runtime': jsxRuntime,
  'react-dom': reactDom,
  'react-router-dom': router,
  zustand,
  '@arco-design/web-react': arco,
  '@arco-design/web-react/icon': icons,
  'tollgate/console': ownConsole,
}
