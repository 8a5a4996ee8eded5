import { ConfigProvider } from '@arco-design/web-react'
import enUS from '@arco-design/web-react/es/locale/en-US'
import zhCN from '@arco-design/web-react/es/locale/zh-CN'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { RouterProvider } from 'react-router-dom'
import { queryClient } from '../api/query-client.ts'
import { usePreferences } from '../stores/preferences.ts'
import { router } from './router.tsx'

const locales = { en: enUS, zh: zhCN }

export function App() {
  const { theme, language } = usePreferences()
  useEffect(() => {
    if (theme === 'dark') document.body.setAttribute('arco-theme', 'dark')
    else document.body.removeAttribute('arco-theme')
    document.documentElement.style.colorScheme = theme
  }, [theme])
  return (
    <ConfigProvider
      locale={locales[language]}
      focusLock={{ modal: { autoFocus: true } }}
      effectGlobalModal
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ConfigProvider>
  )
}
