import type { RefObject } from 'react'

const open = new Set<RefObject<boolean>>()

/** Keeps in mind a form that is open; returns the disposer. Whether it holds changes is asked when it matters. */
export function watchUnsaved(hasChanges: RefObject<boolean>): () => void {
  open.add(hasChanges)
  return () => open.delete(hasChanges)
}

/** Whether something on the page was changed and not saved. */
export function hasUnsaved(): boolean {
  return [...open].some(({ current }) => current)
}
