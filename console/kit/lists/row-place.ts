// Where in a table a control stands, and what stands there once it is gone.

/** The place of a control in a table. */
export interface Place {
  table: Element
  control: HTMLElement
  row: Element | null
  /** Which row of the table, and which control of the row. */
  rowAt: number
  controlAt: number
}

const rowSelector = 'tbody > tr, .table-cards > .row-card'
const controlSelector = 'a[href], button:not([disabled]), input:not([disabled]), [tabindex="0"]'

/** The place of a control that may stand in no table. */
export function placeInTable(control: Element | null): Place | undefined {
  const table = control?.closest('.data-table')
  return table && control instanceof HTMLElement ? placeOf(control, table) : undefined
}

export function placeOf(control: HTMLElement, table: Element): Place {
  const row = control.closest(rowSelector)
  const rowAt = row ? [...table.querySelectorAll(rowSelector)].indexOf(row) : -1
  return { table, control, row, rowAt, controlAt: row ? controlsIn(row).indexOf(control) : -1 }
}

/** The control in the place of one that is gone; undefined: none is left. */
export function standInFor({ table, row, rowAt, controlAt }: Place): HTMLElement | undefined {
  if (row?.isConnected) {
    const controls = controlsIn(row)
    return controls[controlAt] ?? controls.at(-1)
  }
  const rows = [...table.querySelectorAll(rowSelector)]
  const next = rowAt < 0 ? undefined : (rows[rowAt] ?? rows.at(-1))
  const frame = table.querySelector<HTMLElement>('.table-scroll') ?? undefined
  return (next && controlsIn(next)[0]) ?? frame
}

function controlsIn(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>(controlSelector)]
}
