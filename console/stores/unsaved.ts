import type { RefObject } from 'react'

const open = new Set<RefObject<boolean>>()

/** Registers an open form. Whether it has changes is checked when needed. @returns the disposer */
export function watchUnsaved(hasChanges: RefObject<boolean>): () => void {
  open.add(hasChanges)
  return () => open.delete(hasChanges)
}

const guarded = new Set<RefObject<boolean>>()

/** The same for a form that asks before it is left. */
export function watchLeaving(hasChanges: RefObject<boolean>): () => void {
  const forget = watchUnsaved(hasChanges)
  guarded.add(hasChanges)
  return () => {
    guarded.delete(hasChanges)
    forget()
  }
}

/** Whether leaving the page would lose changes of forms that ask first. */
export function hasChangesToLeave(): boolean {
  return [...guarded].some(({ current }) => current)
}

/** Whether any registered form has unsaved changes. */
export function hasUnsaved(): boolean {
  return [...open].some(({ current }) => current)
}

/** Edited fields outside of registered forms. */
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

/** Whether the page has any unsaved input, including input that would be left without a question. */
export function hasTyped(): boolean {
  return hasUnsaved() || [...touched].some((field) => field.isConnected && field.value !== '')
}
