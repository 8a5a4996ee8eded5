import { useMemo, useState } from 'react'

interface Opening<T> {
  record: T | undefined
}

export interface Editing<T> {
  isOpen: boolean
  /** The row that is edited; undefined for a new one. */
  record: T | undefined
  /** A new object each time the drawer opens. */
  opening: Opening<T> | undefined
  edit(record: T): void
  add(): void
  close(): void
}

/** Which row of a list is open in its drawer, or whether a new one is. */
export function useEditing<T extends object>(): Editing<T> {
  const [opening, setOpening] = useState<Opening<T>>()
  const ways = useMemo(
    () => ({
      edit: (record: T) => setOpening({ record }),
      add: () => setOpening({ record: undefined }),
      close: () => setOpening(undefined),
    }),
    [],
  )
  return { isOpen: opening !== undefined, record: opening?.record, opening, ...ways }
}

/** The initial values of the drawer's form. Computed once per opening, because a new object resets the form. */
export function useInitial<T extends object, F extends object>(
  { opening }: Editing<T>,
  make: (record: T | undefined) => F,
): F | undefined {
  const [held, setHeld] = useState<{ opening?: Opening<T>; initial?: F }>({})
  if (held.opening === opening) return held.initial
  const initial = opening && make(opening.record)
  setHeld({ opening, initial })
  return initial
}
