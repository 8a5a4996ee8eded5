import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

export interface TabItem {
  id: string
  title: ReactNode
  content?: ReactNode
}

export interface TabsProps {
  label: string
  items: readonly TabItem[]
  active: string
  onChange(id: string): void
}

/** Tabs by the WAI-ARIA pattern: one stop of the tab key, and arrow keys between the tabs. Arco's tabs lack the role
 *  of a list. */
export function Tabs({ label, items, active, onChange }: TabsProps) {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const at = items.findIndex(({ id }) => id === active)
    const next = items[(at + step + items.length) % items.length]
    if (!next) return
    event.preventDefault()
    onChange(next.id)
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${base}${next.id}`)}`)?.focus()
  }
  const current = items.find(({ id }) => id === active)
  return (
    <div className="tabs">
      <div className="tabs-list" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {items.map(({ id, title }) => (
          <button
            key={id}
            id={`${base}${id}`}
            type="button"
            role="tab"
            aria-selected={id === active}
            aria-controls={current?.content === undefined ? undefined : `${base}panel`}
            tabIndex={id === active ? 0 : -1}
            onClick={() => onChange(id)}
          >
            {title}
          </button>
        ))}
      </div>
      {current?.content === undefined ? null : (
        <div id={`${base}panel`} role="tabpanel" aria-labelledby={`${base}${active}`}>
          {current.content}
        </div>
      )}
    </div>
  )
}
