import { Alert } from '@arco-design/web-react'
import { useEffect, useRef, useState } from 'react'
import { usePreferences, useTexts } from '#console'
import { loadWidget } from './turnstile-script.ts'
import './turnstile.css'

/** The widget of a site key, or a message if it cannot be shown. */
export function Widget({
  siteKey,
  onToken,
}: {
  siteKey: string
  onToken(token: string | undefined): void
}) {
  const t = useTexts('turnstile')
  const { theme, language } = usePreferences()
  const place = useRef<HTMLDivElement>(null)
  const newestOnToken = useRef(onToken)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    newestOnToken.current = onToken
  })
  useEffect(() => {
    let remove: (() => void) | undefined
    let isGone = false
    loadWidget().then(
      (widget) => {
        if (isGone || !place.current) return
        setFailed(false)
        const id = widget.render(place.current, {
          sitekey: siteKey,
          theme,
          language: language === 'zh' ? 'zh-cn' : 'en',
          callback: (token) => {
            setFailed(false)
            newestOnToken.current(token)
          },
          'expired-callback': () => newestOnToken.current(undefined),
          'error-callback': () => {
            setFailed(true)
            newestOnToken.current(undefined)
            return true
          },
        })
        remove = () => widget.remove(id)
      },
      () => setFailed(true),
    )
    return () => {
      isGone = true
      remove?.()
    }
  }, [siteKey, theme, language])
  return (
    <>
      {hasFailed ? <Alert type="warning" content={t('failed')} /> : null}
      <div ref={place} className="turnstile" />
    </>
  )
}
