// All shared fixtures against a real gateway.
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '#test'
import { loadFixtures } from './fixture.ts'
import { runFixtures } from './run.ts'

const { fixtures, faults } = loadFixtures(fileURLToPath(new URL('../fixtures', import.meta.url)))

const problems = new Map<string, string[]>()
let channelTypes: number[]

beforeAll(async () => {
  const app = await startApp({ isWithin: true, env: { TASK_POLL_SECONDS: '1' } })
  try {
    channelTypes = Object.keys(await app.root.get<object>('/api/models')).map(Number)
    for (const result of await runFixtures(fixtures, { root: app.root })) {
      problems.set(`${result.slug}/${result.name}`, result.problems)
    }
  } finally {
    await app.close()
  }
}, 180_000)

describe('the shared fixtures', () => {
  it('are all well-formed', () => {
    expect(fixtures.length).toBeGreaterThan(100)
    expect(faults).toEqual([])
  })

  it('belong to channel types that an adapter serves', () => {
    const foreign = fixtures.filter(({ channel }) => !channelTypes.includes(channel.type))
    expect(foreign.map(({ slug, name }) => `${slug}/${name}`)).toEqual([])
  })

  it.each(fixtures)('$slug/$name', ({ slug, name }) => {
    expect(problems.get(`${slug}/${name}`)).toEqual([])
  })
})
