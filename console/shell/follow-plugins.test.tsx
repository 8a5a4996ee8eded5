import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { api } from '../api/client.ts'
// The query client reports when the page becomes visible.
import '../api/query-client.ts'
import { useRegistry } from '../registry/registry.ts'
import { followPlugins } from './follow-plugins.ts'

let on: string[] | undefined
let stop: () => void

beforeEach(() => {
  on = ['home']
  vi.stubGlobal('fetch', async (path: string) => {
    if (path !== '/api/plugin/console') return new Response('', { status: 404 })
    if (on === undefined) throw new TypeError('away')
    return Response.json({ success: true, data: on.map((id) => ({ id, module: null })) })
  })
  stop = followPlugins()
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const owners = () => new Set(useRegistry.getState().screens.map(({ owner }) => owner))
const comeBack = () => window.dispatchEvent(new Event('focus'))

it.each([
  { what: 'somebody comes back to the page', happens: comeBack },
  {
    what: 'a call is missing',
    happens: () => api.get('/api/gone', { isQuiet: true }).catch(() => undefined),
  },
])('shows the plugins that are on by now when $what', async ({ happens }) => {
  await useRegistry.getState().load()
  on = ['home', 'tokens']
  await happens()
  await waitFor(() => expect(owners()).toEqual(new Set(['home', 'tokens'])))
})

it('does not ask again within five seconds', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000)
  const load = vi.spyOn(useRegistry.getState(), 'load')
  comeBack()
  now.mockReturnValue(5999)
  comeBack()
  expect(load).toHaveBeenCalledTimes(1)
  now.mockReturnValue(6000)
  comeBack()
  expect(load).toHaveBeenCalledTimes(2)
})

it('keeps what is there where nobody answers', async () => {
  await useRegistry.getState().load()
  on = undefined
  await useRegistry.getState().load()
  expect(owners()).toEqual(new Set(['home']))
})
