import { focusManager, QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // An error from the server is final; only a lost connection is worth a retry, and nobody waits twice for a server that is silent.
      retry: (count, error) =>
        count < 1 && error instanceof ApiError && error.status === 0 && error.code !== 'late',
      refetchOnWindowFocus: false,
      // Do not wait silently because the browser thinks that it is offline: try, and report the failure.
      networkMode: 'always',
      staleTime: 0,
    },
  },
})

// Two windows side by side are both visible: switching between them fires `focus`, but no `visibilitychange`.
focusManager.setEventListener((onFocus) => {
  const listener = () => onFocus()
  const events = ['visibilitychange', 'focus']
  for (const event of events) window.addEventListener(event, listener)
  return () => {
    for (const event of events) window.removeEventListener(event, listener)
  }
})
