import '@arco-design/web-react/es/_util/react-19-adapter'
import './style/tokens.css'
import './style/base.css'
import './style/shell.css'
import './style/sidebar.css'
import './style/page.css'
import './style/tables.css'
import './style/table-sides.css'
import './style/cards.css'
import './style/forms.css'
import './style/values.css'
import './style/touch.css'
import './style/print.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './shell/app.tsx'
import { startEarly } from './shell/early-start.ts'
import { printLight } from './shell/print-light.ts'
import { showWholeTexts } from './shell/whole-texts.ts'
import { startTexts } from './texts/i18n.ts'
import { keepLanguage } from './texts/keep-language.ts'

const texts = startTexts()
startEarly()
await texts
keepLanguage()
showWholeTexts()
printLight()
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
