// The React that external plugins import. Effects of a part are cleaned up when it is removed, and React then looks
// for an error boundary above it: an error would remove the surrounding screen or the whole console. So the cleanups
// are wrapped.
import type { DependencyList, EffectCallback } from 'react'
import { culpritOf } from './culprit.ts'
import { noteFailure } from './registry.ts'
import { faultText } from './sound-part.ts'

type Hook = (effect: EffectCallback, deps?: DependencyList) => void
type React = typeof import('react')

/** With the default export that `import React from 'react'` needs. */
export function containedReact(react: React): React & { default: React } {
  const contained = {
    ...react,
    useEffect: quietHook(react.useEffect),
    useLayoutEffect: quietHook(react.useLayoutEffect),
    useInsertionEffect: quietHook(react.useInsertionEffect),
  }
  return { ...contained, default: contained }
}

function quietHook(hook: Hook): Hook {
  return (effect, deps) =>
    hook(() => {
      const cleanUp = effect()
      return typeof cleanUp === 'function' ? () => quietly(cleanUp) : cleanUp
    }, deps)
}

function quietly(cleanUp: () => void): void {
  try {
    cleanUp()
  } catch (error) {
    reportError(error)
    const owner = culpritOf(error)
    if (owner !== undefined) noteFailure(owner, faultText(error))
  }
}
