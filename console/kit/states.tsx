import { Button, Spin } from '@arco-design/web-react'
import { IconExclamationCircle } from '@arco-design/web-react/icon'
import { type ReactNode, useEffect, useState } from 'react'
import { useTexts } from '../texts/use-texts.ts'

/** Says what this list is for, with the one button that fills it. */
export function EmptyState({
  title,
  hint,
  action,
  isPage = false,
}: {
  title: ReactNode
  hint?: ReactNode
  action?: ReactNode
  /** The state is the whole page, so its title is the heading of the page. */
  isPage?: boolean
}) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className="state">
      <Title className="state-title">{title}</Title>
      {hint ? <p className="state-hint">{hint}</p> : null}
      {action}
    </div>
  )
}

/** Says what failed and why, with a button to try again. */
export function ErrorState({
  title,
  message,
  onRetry,
}: {
  title?: ReactNode
  message: ReactNode
  onRetry?: () => void
}) {
  const t = useTexts()
  return (
    <div className="state" role="alert">
      <IconExclamationCircle className="state-icon" aria-hidden />
      <p className="state-title">{title ?? t('state.failed')}</p>
      <p className="state-hint">{message}</p>
      {onRetry ? <Button onClick={onRetry}>{t('state.retry')}</Button> : null}
    </div>
  )
}

/** Above what was loaded before: reading it anew failed. */
export function Stale({ message, onRetry }: { message: ReactNode; onRetry: () => void }) {
  const t = useTexts()
  return (
    <div className="stale" role="alert">
      <span>{t('state.stale', { message })}</span>
      <Button size="mini" onClick={onRetry}>
        {t('state.retry')}
      </Button>
    </div>
  )
}

/** After this time the dots alone would leave people wondering. */
const SLOW_MS = 10_000

export function Loading() {
  const t = useTexts()
  const isSlow = useIsSlow()
  return (
    <div className="state" role="status">
      <Spin dot />
      <span className="visually-hidden">{t('state.loading')}</span>
      {isSlow ? <p className="state-hint">{t('state.slow')}</p> : null}
    </div>
  )
}

function useIsSlow(): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setSlow(true), SLOW_MS)
    return () => window.clearTimeout(timer)
  }, [])
  return isSlow
}
