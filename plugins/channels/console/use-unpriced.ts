import { useEffect, useState } from 'react'
import { channelCalls } from './channel-calls.ts'

const none: ReadonlySet<string> = new Set()

/** Those of the names that have no price yet; none until the server has told. */
export function useUnpriced(names: readonly string[]): ReadonlySet<string> {
  const [unpriced, setUnpriced] = useState(none)
  const key = [...new Set(names)].sort().join('\n')
  useEffect(() => {
    if (key === '') return
    const control = new AbortController()
    // It is a remark beside the models: without an answer there is none.
    channelCalls.unpriced(key.split('\n'), control.signal).then(
      (found) => setUnpriced(new Set(found)),
      () => undefined,
    )
    return () => control.abort()
  }, [key])
  return unpriced
}
