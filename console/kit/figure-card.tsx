import type { ReactNode } from 'react'
import { Card } from './page.tsx'

export interface FigureCardProps {
  title: string
  value: ReactNode
  /** Explains the figure. */
  hint?: ReactNode
  actions?: ReactNode
  /** A line below, such as the same figure of earlier days. */
  children?: ReactNode
}

/** One large figure with a small title. */
export function FigureCard({ title, value, hint, actions, children }: FigureCardProps) {
  return (
    <Card title={title} actions={actions} className="figure-card">
      <p className="figure number">{value}</p>
      {hint ? <p className="muted">{hint}</p> : null}
      {children}
    </Card>
  )
}
