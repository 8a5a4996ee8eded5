import { focusManager } from '@tanstack/react-query'
import { onCallMissing } from '../api/client.ts'
import { useRegistry } from '../registry/registry.ts'

const askAgainAfterMs = 5000

/** Somebody else may have switched a plugin on or off meanwhile: its screens come and go with its calls. Returns the disposer. */
export function followPlugins(): () => void {
  let askedAt = Number.NEGATIVE_INFINITY
  // The question may be missing itself, so not at once again.
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
