import { type FocusEvent, useLayoutEffect, useRef } from 'react'

/** Where the focus was last inside the table. */
interface Place {
  control: HTMLElement
  row: Element | null
  /** Which row of the table, and which control of the row. */
  rowAt: number
  controlAt: number
}

const rowSelector = 'tbody > tr, .table-cards > .row-card'
const controlSelector = 'a[href], button:not([disabled]), input:not([disabled]), [tabindex="0"]'

/** When the focused control disappears (its row was deleted, or its action was replaced), moves the focus to the
 *  control in its place. Otherwise the keyboard would start at the top of the page, and a screen reader would fall
 *  silent. For the outermost element of the table. */
export function useKeptFocus() {
  const table = useRef<HTMLDivElement>(null)
  const place = useRef<Place>(undefined)
  useLayoutEffect(() => {
    const last = place.current
    if (!last || last.control.isConnected) return
    place.current = undefined
    const current = document.activeElement
    if (current !== null && current !== document.body) return
    const next = table.current && standInFor(last, table.current)
    const target = next ?? document.getElementById('content')
    target?.focus({ preventScroll: true })
  })
  return {
    ref: table,
    onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
      // React also reports focus events of dialogs that are drawn elsewhere.
      if (currentTarget.contains(target)) place.current = placeOf(target, currentTarget)
    },
    onBlur: ({ target, relatedTarget }: FocusEvent<HTMLElement>) => {
      const isHanded = relatedTarget !== null
      // Some browsers send the blur event while the control is being removed.
      queueMicrotask(() => {
        if (place.current?.control === target && (isHanded || target.isConnected))
          place.current = undefined
      })
    },
  }
}

function placeOf(control: HTMLElement, table: HTMLElement): Place {
  const row = control.closest(rowSelector)
  const rowAt = row ? [...table.querySelectorAll(rowSelector)].indexOf(row) : -1
  return { control, row, rowAt, controlAt: row ? controlsIn(row).indexOf(control) : -1 }
}

function standInFor({ row, rowAt, controlAt }: Place, table: HTMLElement) {
  if (row?.isConnected) {
    const controls = controlsIn(row)
    return controls[controlAt] ?? controls.at(-1)
  }
  const rows = [...table.querySelectorAll(rowSelector)]
  const next = rowAt < 0 ? undefined : (rows[rowAt] ?? rows.at(-1))
  return (next && controlsIn(next)[0]) ?? table.querySelector<HTMLElement>('.table-scroll')
}

function controlsIn(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>(controlSelector)]
}
