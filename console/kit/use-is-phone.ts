import { useSyncExternalStore } from 'react'

const query = '(max-width: 600px)'

/** Whether the window is at most 600 px wide: drawers fill it, tables become cards. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

function subscribe(onChange: () => void): () => void {
  const media = matchMedia(query)
  media.addEventListener('change', onChange)
  return () => media.removeEventListener('change', onChange)
}
