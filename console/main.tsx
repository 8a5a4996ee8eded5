import '@arco-design/web-react/es/_util/react-19-adapter'
import './style/tokens.css'
import './style/base.css'
import './style/shell.css'
import './style/kit.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './shell/app.tsx'
import { startTexts } from './texts/i18n.ts'

await startTexts()
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
