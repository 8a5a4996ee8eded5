import type { RefObject } from 'react'
import { create } from 'zustand'

/** Closes a drawer or dialog, or asks first. */
export type ClosePanel = RefObject<() => void>

/** Open drawers and dialogs, which the Back button closes, the topmost last. */
export const useOpenPanels = create<{ panels: readonly ClosePanel[] }>()(() => ({ panels: [] }))

/** Registers an open one. @returns the disposer */
export function watchPanel(close: ClosePanel): () => void {
  useOpenPanels.setState(({ panels }) => ({ panels: [...panels, close] }))
  return () =>
    useOpenPanels.setState(({ panels }) => ({ panels: panels.filter((one) => one !== close) }))
}
