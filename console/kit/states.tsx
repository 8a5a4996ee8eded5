import { Button, Spin } from '@arco-design/web-react'
import { IconExclamationCircle } from '@arco-design/web-react/icon'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/use-texts.ts'

/** What this list is, and the one button that fills it. */
export function EmptyState({
  title,
  hint,
  action,
  isPage = false,
}: {
  title: ReactNode
  hint?: ReactNode
  action?: ReactNode
  /** It is the whole page, and its title the page's heading. */
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

/** What failed, why, and a way to try again. */
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

export function Loading() {
  const t = useTexts()
  return (
    <div className="state" role="status">
      <Spin dot />
      <span className="visually-hidden">{t('state.loading')}</span>
    </div>
  )
}
