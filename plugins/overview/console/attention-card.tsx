import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Card, StatusTag, useTexts } from '#console'

export interface AttentionRow {
  key: number
  to: string
  name: ReactNode
  fact: ReactNode
}

/** Things that need attention: a few rows and the number of the others, or a line that all is well. */
export function AttentionCard({
  title,
  rows,
  count,
  more,
  well,
  isWell = true,
}: {
  title: string
  rows: readonly AttentionRow[]
  count: number
  /** A link to the complete list. */
  more: string
  well: string
  /** False: an empty list is no good news. */
  isWell?: boolean
}) {
  const t = useTexts('overview')
  return (
    <Card
      title={title}
      actions={count > 0 ? <Link to={more}>{t('showAll', { count })}</Link> : undefined}
    >
      {rows.length === 0 ? (
        <div className="attention-well">
          <StatusTag tone={isWell ? 'success' : 'warning'}>{well}</StatusTag>
        </div>
      ) : (
        <ul className="attention">
          {rows.map(({ key, to, name, fact }) => (
            <li key={key}>
              <Link to={to}>{name}</Link>
              <span>{fact}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
