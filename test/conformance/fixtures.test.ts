// All shared fixtures whose channel type has an adapter, against a real gateway process.
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '#test'
import { loadFixtures } from './fixture.ts'
import { type FixtureResult, runFixtures } from './run.ts'

const { fixtures, faults } = loadFixtures(new URL('../fixtures', import.meta.url).pathname)

const results = new Map<string, FixtureResult>()
let served: ReadonlySet<number>

beforeAll(async () => {
  const app = await startApp({ env: { TASK_POLL_SECONDS: '1' } })
  try {
    served = new Set(Object.keys(await app.root.get<object>('/api/models')).map(Number))
    const chosen = fixtures.filter(({ channel }) => served.has(channel.type))
    for (const result of await runFixtures(chosen, { root: app.root })) {
      results.set(`${result.slug}/${result.name}`, result)
    }
  } finally {
    await app.close()
  }
}, 180_000)

describe('the shared fixtures', () => {
  it('are all well-formed', () => {
    expect(faults).toEqual([])
  })

  it('cover every channel type that has an adapter here', () => {
    const covered = new Set(fixtures.map(({ channel }) => channel.type))
    const types = [1, 8, 14, 43]
    expect(types.filter((type) => !served.has(type) || !covered.has(type))).toEqual([])
  })

  it.for(fixtures)('$slug/$name', ({ slug, name, channel }, { skip }) => {
    skip(!served.has(channel.type), `no adapter serves channel type ${channel.type} yet`)
    expect(results.get(`${slug}/${name}`)?.problems).toEqual([])
  })
})
