import { act, render, within } from '@testing-library/react'
import { createElement, Suspense, useEffect, type ComponentType } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadLimitMs } from './in-time.ts'
import { componentOf } from './owned-component.ts'
import { PluginBoundary } from './plugin-boundary.tsx'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const thrower = (thing: unknown) => () => {
  throw thing
}
const inEffect = () => {
  useEffect(() => {
    throw new Error('in an effect')
  })
  return null
}
const hostile = {
  toString() {
    throw new Error('never')
  },
}

async function show(load: () => unknown) {
  const part = { owner: 'sample', load: load as () => Promise<{ default: ComponentType }> }
  const container = document.body.appendChild(document.createElement('main'))
  await act(async () => {
    render(
      <>
        <p>beside</p>
        <PluginBoundary owner="sample">
          <Suspense fallback="waiting">{createElement(componentOf(part))}</Suspense>
        </PluginBoundary>
      </>,
      { container },
    )
  })
  await act(async () => {
    await vi.advanceTimersByTimeAsync(loadLimitMs + 1)
  })
  return within(container)
}

describe('a part of a screen', () => {
  it.each([
    ['throws while it is drawn', async () => ({ default: thrower(new Error('drawn')) }), 'drawn'],
    ['throws nothing', async () => ({ default: thrower(undefined) }), 'undefined'],
    ['throws what cannot be read', async () => ({ default: thrower(hostile) }), 'cannot be read'],
    ['throws in an effect', async () => ({ default: inEffect }), 'in an effect'],
    ['draws an object', async () => ({ default: () => ({}) }), 'Objects are not valid'],
    ['is no component', async () => ({ default: 5 }), 'no default export that is a component'],
    ['exports nothing', async () => undefined, 'no default export that is a component'],
    ['cannot be loaded', async () => Promise.reject(new Error('no file')), 'no file'],
    ['has a loader that throws', thrower(new Error('no loader')), 'no loader'],
    ['never comes', () => new Promise(() => undefined), 'within 10 s'],
  ])('that %s shows a card with its owner, and the rest stays', async (_name, load, message) => {
    const shown = await show(load)
    expect(shown.getByRole('alert').textContent).toContain('sample')
    expect(shown.getByRole('alert').textContent).toContain(message)
    expect(shown.getByText('beside')).toBeTruthy()
  })

  it.each([
    'Failed to fetch dynamically imported module: https://gate.example/assets/users.js',
    'Unable to preload CSS for /assets/users.css',
  ])('that could not be fetched blames the connection, not its owner: %s', async (message) => {
    const shown = await show(async () => Promise.reject(new TypeError(message)))
    expect(shown.getByRole('alert').textContent).toContain('Check the connection')
    expect(shown.getByRole('alert').textContent).not.toContain('sample')
  })
})
