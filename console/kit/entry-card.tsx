import type { ReactNode } from 'react'
import { useStatus } from '../stores/status.ts'
import './entry-card.css'

/** The card in the middle of the screens before sign-in: login, registration, password reset. */
export function EntryCard({
  title,
  footer,
  children,
}: {
  title: string
  footer: ReactNode
  children: ReactNode
}) {
  const status = useStatus()
  return (
    <div className="entry">
      <section className="card entry-card" aria-labelledby="entry-title">
        <header>
          <img src={status?.logo || '/logo.png'} alt="" width={40} height={40} />
          <h1 id="entry-title">{title}</h1>
        </header>
        {children}
        <footer>{footer}</footer>
      </section>
    </div>
  )
}
