import type { ReactNode } from 'react'

export interface Detail {
  label: string
  value: ReactNode
  /** Over the whole width, for long texts and code. */
  isWide?: boolean
}

/** Labels and values of one record. Entries without a value are left out. */
export function Details({ items }: { items: readonly Detail[] }) {
  return (
    <dl className="details">
      {items
        .filter(({ value }) => value !== undefined && value !== null && value !== '')
        .map(({ label, value, isWide }) => (
          <div key={label} className={isWide ? 'details-wide' : undefined}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
