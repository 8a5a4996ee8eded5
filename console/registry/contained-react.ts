// React as plugins from outside get it. What their parts clean up runs when they go, and React then knows no boundary of theirs any more: what is
// thrown there would take the screen around them along, or all of the console.
import type { DependencyList, EffectCallback } from 'react'
import { culpritOf } from './culprit.ts'
import { noteFailure } from './registry.ts'
import { faultText } from './sound-part.ts'

type Hook = (effect: EffectCallback, deps?: DependencyList) => void
type React = typeof import('react')

/** With the default export that `import React from 'react'` takes. */
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
