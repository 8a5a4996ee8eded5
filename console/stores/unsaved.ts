import type { RefObject } from 'react'

const open = new Set<RefObject<boolean>>()

/** Keeps in mind a form that is open; returns the disposer. Whether it holds changes is asked when it matters. */
export function watchUnsaved(hasChanges: RefObject<boolean>): () => void {
  open.add(hasChanges)
  return () => open.delete(hasChanges)
}

const guarded = new Set<RefObject<boolean>>()

/** The same for one that is not to be left without a question. */
export function watchLeaving(hasChanges: RefObject<boolean>): () => void {
  const forget = watchUnsaved(hasChanges)
  guarded.add(hasChanges)
  return () => {
    guarded.delete(hasChanges)
    forget()
  }
}

/** Whether leaving the page loses changes that it asks about. */
export function hasChangesToLeave(): boolean {
  return [...guarded].some(({ current }) => current)
}

/** Whether something on the page was changed and not saved. */
export function hasUnsaved(): boolean {
  return [...open].some(({ current }) => current)
}

/** Fields that somebody typed into, in forms that nothing watches. */
const touched = new Set<HTMLInputElement | HTMLTextAreaElement>()

globalThis.document?.addEventListener(
  'input',
  ({ target }) => {
    for (const field of touched) if (!field.isConnected) touched.delete(field)
    const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (isText && target.type !== 'search') touched.add(target)
  },
  true,
)

/** Whether anything that a person typed stands on the page, also where nobody would ask before it is left. */
export function hasTyped(): boolean {
  return hasUnsaved() || [...touched].some((field) => field.isConnected && field.value !== '')
}
