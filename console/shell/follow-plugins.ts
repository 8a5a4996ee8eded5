import { focusManager } from '@tanstack/react-query'
import { onCallMissing } from '../api/client.ts'
import { useRegistry } from '../registry/registry.ts'

const askAgainAfterMs = 5000

/** Fetches the list of plugins again when a call is missing or the page comes to the front: somebody may have
 *  switched a plugin on or off elsewhere.
 *  @returns the function that ends it */
export function followPlugins(): () => void {
  let askedAt = Number.NEGATIVE_INFINITY
  // The call for the list may itself be missing, so it is not repeated at once.
  const ask = () => {
    const now = performance.now()
    if (now - askedAt < askAgainAfterMs) return
    askedAt = now
    void useRegistry.getState().load()
  }
  const stops = [
    onCallMissing(ask),
    focusManager.subscribe((isInFront) => {
      if (isInFront) ask()
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
