import { useSyncExternalStore } from 'react'

const phone = watched('(max-width: 600px)')
const narrow = watched('(max-width: 960px)')

/** Whether the window is at most 600 px wide: drawers fill it, tables become cards. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(phone.subscribe, phone.isMet)
}

/** Whether the window is too narrow for two panels beside the menu, because it is small or magnified. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(narrow.subscribe, narrow.isMet)
}

function watched(query: string) {
  return {
    isMet: () => matchMedia(query).matches,
    subscribe(onChange: () => void): () => void {
      const media = matchMedia(query)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
  }
}
