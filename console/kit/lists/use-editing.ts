import { useMemo, useState } from 'react'

export interface Editing<T> {
  isOpen: boolean
  /** The row that is edited; undefined while a new one is made. */
  record: T | undefined
  edit(record: T): void
  add(): void
  close(): void
}

/** Which row of a list stands in its drawer, or that a new one does. */
export function useEditing<T extends object>(): Editing<T> {
  const [open, setOpen] = useState<{ record: T | undefined }>()
  const ways = useMemo(
    () => ({
      edit: (record: T) => setOpen({ record }),
      add: () => setOpen({ record: undefined }),
      close: () => setOpen(undefined),
    }),
    [],
  )
  return { isOpen: open !== undefined, record: open?.record, ...ways }
}
