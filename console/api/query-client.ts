import { focusManager, QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal stays a refusal; only a lost connection is worth a second try.
      retry: (count, error) => count < 1 && error instanceof ApiError && error.status === 0,
      refetchOnWindowFocus: false,
      // The browser's own idea of being offline is no reason to wait in silence: try, and say what failed.
      networkMode: 'always',
      staleTime: 0,
    },
  },
})

// Two windows side by side are both visible: changing between them fires `focus`, but no `visibilitychange`.
focusManager.setEventListener((onFocus) => {
  const listener = () => onFocus()
  const events = ['visibilitychange', 'focus']
  for (const event of events) window.addEventListener(event, listener)
  return () => {
    for (const event of events) window.removeEventListener(event, listener)
  }
})
