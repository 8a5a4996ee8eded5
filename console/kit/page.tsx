import { type ReactNode, useId } from 'react'

export interface PageProps {
  title: string
  /** One line that says what the page is for, only where that helps. */
  hint?: ReactNode
  /** At the right of the title; at most one primary button. */
  actions?: ReactNode
  /** `text`: forms and settings, at most 1440 px wide. `full` (default): tables. */
  width?: 'full' | 'text'
  children?: ReactNode
}

export function Page({ title, hint, actions, width = 'full', children }: PageProps) {
  return (
    <div className={`page page-${width}`}>
      <header className="page-head">
        <div className="page-words">
          <h1>{title}</h1>
          {hint ? <p>{hint}</p> : null}
        </div>
        {actions ? <div className="page-actions">{actions}</div> : null}
      </header>
      {children}
    </div>
  )
}

export interface CardProps {
  title?: ReactNode
  hint?: ReactNode
  actions?: ReactNode
  /** Without inner padding, for tables. */
  isFlush?: boolean
  className?: string
  children?: ReactNode
}

/** A section of a page with its own heading. */
export function Card({ title, hint, actions, isFlush, className = '', children }: CardProps) {
  const id = useId()
  return (
    <section
      className={`card ${isFlush ? 'card-flush' : ''} ${className}`}
      aria-labelledby={title ? id : undefined}
    >
      {title || actions ? (
        <header className="card-head">
          <div>
            {title ? <h2 id={id}>{title}</h2> : null}
            {hint ? <p>{hint}</p> : null}
          </div>
          {actions}
        </header>
      ) : null}
      {children}
    </section>
  )
}
