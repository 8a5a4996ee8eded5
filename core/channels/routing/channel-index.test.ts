import { describe, expect, it, vi } from 'vitest'
import { defineAdapter } from '../../contract/adapter.ts'
import { ChannelIndex } from './channel-index.ts'
import { channelRow, type RowFields } from '../../../test/harness/channel-row.ts'
import { seededRandom } from '../../../test/harness/seeded-random.ts'
import { empty, IndexDraft } from './index-draft.ts'
import { Route } from './route.ts'
import { type RoutedChannel, routedChannel, upstreamModel } from './routed-channel.ts'

const adapter = defineAdapter({
  id: 'sample',
  summary: 'a sample',
  channelTypes: { 1: 'Sample', 8: { name: 'Other sample', baseUrl: 'https://other.example' } },
  baseUrl: 'https://sample.example/',
  models: ['m'],
  operations: {},
})

const routed = (fields: RowFields) => routedChannel(channelRow(fields), 'sk-key', adapter)
const indexOf = (rows: RowFields[], random = 0) => ChannelIndex.of(rows.map(routed), () => random)
const query = { group: 'default', model: 'm', attempt: 0 }

function idOf(found: ReturnType<ChannelIndex['select']>): number | 'none' {
  return found === 'none' ? found : found.id
}

describe('choosing a channel', () => {
  it('gives none for a model or a group that no enabled channel serves', () => {
    const index = indexOf([{ id: 1 }, { id: 2, status: 2, models: 'off' }])
    expect(index.select({ ...query, model: 'off' })).toBe('none')
    expect(index.select({ ...query, group: 'vip' })).toBe('none')
  })

  it('tells a model that is known but served by nobody from one that is not known', () => {
    const index = indexOf([{ id: 1, status: 3, models: 'off' }])
    expect([index.hasModel('off'), index.hasModel('never')]).toEqual([true, false])
    expect(index.serves('default', 'off')).toBe(false)
  })

  it('never picks a channel whose adapter is off', () => {
    const orphan = routedChannel(channelRow({ id: 1 }), 'sk-key', undefined)
    expect(ChannelIndex.of([orphan]).select(query)).toBe('none')
  })

  it.each([
    { attempt: 0, id: 1 },
    { attempt: 1, id: 2 },
    { attempt: 2, id: 3 },
    { attempt: 9, id: 3 },
  ])('attempt $attempt takes channel $id, one priority lower each time', ({ attempt, id }) => {
    const index = indexOf([
      { id: 3, priority: -5 },
      { id: 1, priority: 10 },
      { id: 2, priority: 0 },
    ])
    expect(idOf(index.select({ ...query, attempt }))).toBe(id)
  })

  it.each([
    { random: 0, id: 1 },
    { random: 0.16, id: 1 },
    { random: 0.17, id: 2 },
    { random: 0.999, id: 2 },
  ])('divides one priority by weight + 10: at $random channel $id', ({ random, id }) => {
    // 10 of 60 against 50 of 60.
    const index = indexOf([{ id: 1 }, { id: 2, weight: 40 }], random)
    expect(idOf(index.select(query))).toBe(id)
  })

  it('draws among many by their weights, and no tried one while others remain', () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({
      id: at + 1,
      weight: at === 99 ? 90 : 0,
    }))
    const index = ChannelIndex.of(rows.map(routed), seededRandom(7))
    const tried = new Set(rows.slice(0, 50).map(({ id }) => id))
    const drawn = Array.from({ length: 6000 }, () => idOf(index.select({ ...query, tried })))
    expect(drawn.filter((id) => id === 'none' || tried.has(id))).toEqual([])
    // 49 of weight 10, and one of 100.
    const share = drawn.filter((id) => id === 100).length / drawn.length
    expect(share).toBeCloseTo(100 / 590, 1)
    const allButOne = new Set(rows.slice(1).map(({ id }) => id))
    expect(idOf(index.select({ ...query, tried: allButOne }))).toBe(1)
  })

  it('skips tried channels while others remain at that or a lower priority', () => {
    const index = indexOf([{ id: 1 }, { id: 2 }, { id: 3, priority: -1 }])
    expect(idOf(index.select({ ...query, tried: [1] }))).toBe(2)
    expect(idOf(index.select({ ...query, tried: [1, 2] }))).toBe(3)
    expect(idOf(index.select({ ...query, attempt: 1, tried: new Set([1, 2]) }))).toBe(3)
  })

  it('goes back to an untried channel of a higher priority before it repeats one', () => {
    const index = indexOf([{ id: 1 }, { id: 2 }, { id: 3, priority: -1 }, { id: 4, priority: -2 }])
    expect(idOf(index.select({ ...query, attempt: 2, tried: [1, 4] }))).toBe(2)
    expect(idOf(index.select({ ...query, attempt: 3, tried: [1, 2, 4] }))).toBe(3)
    expect(idOf(index.select({ ...query, attempt: 4, tried: [1, 2, 3, 4] }))).toBe(4)
  })

  it('repeats no channel that is spent', () => {
    const index = indexOf([{ id: 1 }, { id: 2, priority: -1 }, { id: 3, priority: -1 }])
    const all = { ...query, attempt: 3, tried: [1, 2, 3] }
    expect(idOf(index.select({ ...all, spent: [2] }))).toBe(3)
    expect(idOf(index.select({ ...all, spent: [2, 3] }))).toBe(1)
    expect(index.select({ ...all, spent: [1, 2, 3] })).toBe('none')
  })

  it('skips channels that the prompt is too long for', () => {
    const index = indexOf([{ id: 1, priority: 5, max_input_tokens: 100 }, { id: 2 }])
    expect(idOf(index.select({ ...query, promptTokens: 100 }))).toBe(1)
    expect(idOf(index.select({ ...query, promptTokens: 101 }))).toBe(2)
    const several = indexOf([
      { id: 1, max_input_tokens: 200 },
      { id: 2, max_input_tokens: 100 },
      { id: 3, priority: -1 },
    ])
    const chosenFor = (promptTokens: number) => idOf(several.select({ ...query, promptTokens }))
    expect([150, 200, 201].map(chosenFor)).toEqual([1, 1, 3])
    const small = indexOf([{ id: 1, max_input_tokens: 100 }])
    expect(small.select({ ...query, promptTokens: 101 })).toBe('none')
  })

  it('knows custom GPTs by their family', () => {
    const index = indexOf([
      { id: 1, models: 'gpt-4-gizmo-*' },
      { id: 2, models: 'gpt-4o-gizmo-*' },
    ])
    expect(idOf(index.select({ ...query, model: 'gpt-4-gizmo-g-abc' }))).toBe(1)
    expect(idOf(index.select({ ...query, model: 'gpt-4o-gizmo-g-abc' }))).toBe(2)
    expect(index.hasModel('gpt-4o-gizmo-x')).toBe(true)
  })
})

/** Row by row, as the index should know it. */
function groupsByModel(rows: readonly RowFields[]): [string, string[]][] {
  const found = new Map<string, Set<string>>()
  for (const { status = 1, models = '', group = '' } of rows) {
    if (status !== 1) continue
    for (const model of models.split(',').filter(Boolean))
      for (const name of group.split(',').filter(Boolean))
        found.set(model, (found.get(model) ?? new Set()).add(name))
  }
  return [...found]
    .map(([model, groups]): [string, string[]] => [model, [...groups].sort()])
    .sort(([left], [right]) => (left < right ? -1 : 1))
}

describe('an index that is changed', () => {
  const models = ['m', 'n', 'o', 'p']
  const groups = ['default', 'vip', 'far']
  const firstIds = (index: ChannelIndex) => {
    const found = index.modelsOf(['vip', 'far'])
    return models.map((model) => found.get(model)?.id)
  }

  it.each([1, 2, 3, 4])('is as one made of the same channels at once, edits %i', (seed) => {
    const random = seededRandom(seed)
    const some = (names: string[]) => names.filter(() => random() < 0.5).join(',')
    const rows = new Map<number, RowFields>()
    let index = new ChannelIndex(undefined, () => 0.42)
    for (let round = 0; round < 120; round += 1) {
      const put = Array.from({ length: Math.floor(random() * 4) }, () => ({
        id: 1 + Math.floor(random() * 12),
        status: random() < 0.8 ? 1 : 2,
        models: some(models),
        group: some(groups),
        priority: Math.floor(random() * 3),
        weight: Math.floor(random() * 5),
        max_input_tokens: random() < 0.3 ? 100 * Math.ceil(random() * 3) : 0,
      }))
      const changed = new Map(put.map((row) => [row.id, row]))
      const removed = random() < 0.3 ? [1 + Math.floor(random() * 12)] : []
      for (const id of removed) rows.delete(id)
      for (const [id, row] of changed) rows.set(id, row)
      index = index.with({ put: [...changed.values()].map(routed), removed })
      const whole = [...rows.values()].sort((left, right) => left.id - right.id)
      const fresh = ChannelIndex.of(whole.map(routed), () => 0.42)
      expect(index.groupsOfModels()).toEqual(fresh.groupsOfModels())
      expect([...index.groupsOfModels()]).toEqual(groupsByModel(whole))
      const queries = groups.flatMap((group) =>
        models.flatMap((model) =>
          [0, 150, 250, 500].flatMap((promptTokens) =>
            [0, 1].map((attempt) => ({ group, model, attempt, promptTokens, tried: [2] })),
          ),
        ),
      )
      expect(queries.map((one) => idOf(index.select(one)))).toEqual(
        queries.map((one) => idOf(fresh.select(one))),
      )
      expect(models.map((model) => index.hasModel(model))).toEqual(
        models.map((model) => fresh.hasModel(model)),
      )
      expect(firstIds(index)).toEqual(firstIds(fresh))
      expect(index.models()).toEqual(fresh.models())
    }
  })

  it('has its models in the order in which people look for them, in one list until one comes or goes', () => {
    const index = indexOf([{ id: 1, models: 'm-10,m-9,b,m-09' }])
    expect(index.models()).toEqual(['b', 'm-09', 'm-9', 'm-10'])
    expect([...index.modelsOf(['default']).keys()]).toEqual(index.models())
    const edited = index.with({ put: [{ id: 2, models: 'm-9' }].map(routed), removed: [] })
    expect(edited.models()).toBe(index.models())
    const grown = edited.with({ put: [{ id: 3, models: 'a,m-009' }].map(routed), removed: [2] })
    expect(grown.models()).toEqual(['a', 'b', 'm-009', 'm-09', 'm-9', 'm-10'])
    const rest = grown.with({ put: [], removed: [1] })
    expect(rest.models()).toEqual(['a', 'm-009'])
  })
})

describe('the models of many groups', () => {
  const groups = Array.from({ length: 30 }, (_, at) => `g${at}`)

  it.each([1, 2, 3])('have the first channel that serves them for any, channels %i', (seed) => {
    const random = seededRandom(seed)
    const some = (names: readonly string[], share: number) =>
      names.filter(() => random() < share).join(',')
    const rows = Array.from({ length: 12 }, (_, at) => ({
      id: 12 - at,
      status: random() < 0.7 ? 1 : 2,
      models: some(['m', 'n', 'o', 'p'], 0.4),
      group: some(groups, 0.2),
    }))
    const index = ChannelIndex.of(rows.map(routed))
    const asked = groups.filter(() => random() < 0.8)
    const expected = index.models().flatMap((model) => {
      const serving = rows.filter(
        (row) =>
          row.status === 1 &&
          row.models.split(',').includes(model) &&
          row.group.split(',').some((group) => asked.includes(group)),
      )
      return serving.length > 0 ? [[model, Math.min(...serving.map(({ id }) => id))]] : []
    })
    const found = [...index.modelsOf(asked)].map(([model, { id }]) => [model, id])
    expect(found).toEqual(expected)
  })

  it('are found by what channels list where the routes are more', () => {
    const first = vi.spyOn(Route.prototype, 'first')
    const index = indexOf([{ id: 1, models: 'm,n', group: groups.join(',') }, { id: 2 }])
    expect([...index.modelsOf(groups).keys()]).toEqual(['m', 'n'])
    expect(first).not.toHaveBeenCalled()
    expect([...index.modelsOf(['default']).keys()]).toEqual(['m'])
    expect(first).toHaveBeenCalled()
  })
})

it('makes one route for all models and groups that the same channels serve, also after an edit', () => {
  const wide = (id: number) => routed({ id, models: 'm,n,o', group: 'default,vip,far' })
  const routesOf = ({ contents: { routes } }: IndexDraft) => [
    ...new Set([...routes.values()].flatMap((models) => [...models.values()])),
  ]
  const idsOf = (draft: IndexDraft) =>
    routesOf(draft).map(({ tiers }) => tiers.flatMap(({ channels }) => channels.map(idOf)))
  const after = (draft: IndexDraft, put: RoutedChannel[], removed: number[] = []) => {
    const next = new IndexDraft(draft.contents)
    for (const _step of next.take({ put, removed }));
    return next
  }
  const one = after(new IndexDraft(empty), [wide(1)])
  expect(idsOf(one)).toEqual([[1]])
  const two = after(one, [wide(2)])
  expect(idsOf(two)).toEqual([[1, 2]])
  expect(idsOf(after(two, [wide(1)]))).toEqual([[1, 2]])
  const some = after(two, [routed({ id: 3, models: 'n', group: 'vip,far' })])
  expect(idsOf(some)).toEqual([
    [1, 2],
    [1, 2, 3],
  ])
  expect(idsOf(after(two, [], [1]))).toEqual([[2]])
})

it('leaves the groups of a model as they are while none is gained or lost', () => {
  const index = indexOf([{ id: 1, models: 'm,n', group: 'default,vip' }])
  const grown = index.with({
    put: [{ id: 2, models: 'n,o', group: 'vip,far' }].map(routed),
    removed: [],
  })
  expect(grown.groupsOfModels().get('m')).toBe(index.groupsOfModels().get('m'))
  expect(grown.groupsOfModels().get('n')).toEqual(['default', 'far', 'vip'])
})

it('takes a channel of many groups group by group, so that calls get their turn in between', () => {
  const groups = Array.from({ length: 40 }, (_, at) => `group-${at}`)
  const channel = routed({ id: 1, models: 'm,n', group: groups.join(',') })
  const stepsOf = (draft: IndexDraft, put: RoutedChannel[], removed: number[]) =>
    [...draft.take({ put, removed })].length
  const added = new IndexDraft(empty)
  const routes = groups.length * 2
  expect(stepsOf(added, [channel], [])).toBeGreaterThan(groups.length + routes)
  expect(stepsOf(new IndexDraft(added.contents), [], [1])).toBeGreaterThan(groups.length + routes)
})

describe('a channel as the relay gets it', () => {
  it.each([
    { fields: { base_url: 'https://own.example/' }, url: 'https://own.example' },
    { fields: { base_url: '' }, url: 'https://sample.example' },
    { fields: { base_url: '', type: 8 }, url: 'https://other.example' },
  ])('has the base URL $url', ({ fields, url }) => {
    expect(routed({ id: 1, ...fields }).view.baseUrl).toBe(url)
  })

  it('calls through the proxy of its setting', () => {
    const { httpOptions } = routed({ id: 1, setting: '{"proxy":"socks5://u:p@h:1"}' })
    expect(httpOptions).toEqual({ trust: 'admin', proxy: 'socks5://u:p@h:1' })
  })

  it('follows a chain of model names to its end', () => {
    const channel = routed({ id: 1, model_mapping: '{"a":"b","b":"c","x":"x"}' })
    expect(['a', 'x', 'other'].map((model) => upstreamModel(channel, model))).toEqual([
      'c',
      'x',
      'other',
    ])
  })

  it('blames the channel for a chain without an end', () => {
    const channel = routed({ id: 1, model_mapping: '{"a":"b","b":"a"}' })
    expect(() => upstreamModel(channel, 'a')).toThrow(/loop/)
  })

  it('takes status codes as numbers and as text', () => {
    const channel = routed({ id: 1, status_code_mapping: '{"400":"500","429":503,"x":"y"}' })
    expect(channel.statusCodeMapping).toEqual({ 400: 500, 429: 503 })
  })

  it('carries a fault when a stored field cannot be read', () => {
    expect(routed({ id: 1, param_override: '[1]' }).fault?.message).toMatch(/param_override/)
    expect(routed({ id: 1 }).fault).toBeUndefined()
  })
})
