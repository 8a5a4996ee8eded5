// Errors that an external part throws during cleanup, when React looks for a boundary above the removed part.
import { act, render, screen } from '@testing-library/react'
import * as react from 'react'
import { Component, createElement, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { containedReact } from './contained-react.ts'
import { PluginBoundary } from './plugin-boundary.tsx'
import { useRegistry } from './registry.ts'

const contained = containedReact(react)

beforeEach(() => {
  vi.stubGlobal('reportError', vi.fn())
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  useRegistry.setState({ failures: {} })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function thrown(): never {
  const error = new Error('cannot let go')
  error.stack = `Error: cannot let go\n    at https://it.example/plugin-assets/acme@1.0.0/console/index.js:3:9`
  throw error
}

/** A screen of the plugin "host" that shows a part of another plugin until a button is pressed. */
function Host({ part }: { part: () => React.ReactNode }) {
  const [isThere, setThere] = useState(true)
  return (
    <>
      <button onClick={() => setThere(false)}>take away</button>
      {isThere ? <PluginBoundary owner="acme">{createElement(part)}</PluginBoundary> : null}
    </>
  )
}

async function takeAway(part: () => React.ReactNode) {
  render(
    <PluginBoundary owner="host">
      <Host part={part} />
    </PluginBoundary>,
  )
  await act(async () => screen.getByRole('button', { name: 'take away' }).click())
}

it.each(['useEffect', 'useLayoutEffect', 'useInsertionEffect'] as const)(
  'what %s cleans up costs nothing but its own, and is told by name',
  async (hook) => {
    await takeAway(() => {
      contained[hook](() => thrown, [])
      return 'part'
    })
    expect(screen.getByRole('button', { name: 'take away' })).toBeTruthy()
    expect(screen.queryByText('part')).toBeNull()
    expect(useRegistry.getState().failures).toEqual({ acme: 'cannot let go' })
  },
)

it('an effect without anything to clean up is an effect as ever', async () => {
  const run = vi.fn()
  await takeAway(() => {
    contained.default.useEffect(() => run(), [])
    return 'part'
  })
  expect(run).toHaveBeenCalledOnce()
})

it('a component of a class that fails while it goes is blamed in place of the screen around it', async () => {
  class Part extends Component {
    override componentWillUnmount() {
      thrown()
    }
    override render() {
      return 'part'
    }
  }
  await takeAway(() => createElement(Part))
  expect(screen.getByRole('alert').textContent).toContain('acme: cannot let go')
})
