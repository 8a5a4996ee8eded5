// A client whose connections are spread over nodes refers to what another node has answered.
import { setImmediate as delivered } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createPostgres,
  createSqlite,
  hasPostgres,
  quietLog,
  type TestDatabase,
} from '../../../test/harness/databases.ts'
import { createClusterBus } from '../../cluster/bus.ts'
import { createSecrets } from '../../secrets/secrets.ts'
import { AnswerItems } from './answer-items.ts'
import { MovedItems } from './moved-items.ts'

const secrets = createSecrets(Buffer.alloc(32, 7))
const idOf = (place: number) => `msg_20261123090000123456789aBcDeFgH_${place}`
const said = (place: number, text: string) => ({
  type: 'message',
  id: idOf(place),
  content: [{ type: 'output_text', text }],
})
const referring = (...places: number[]) => ({
  input: places.map((place) => ({ type: 'item_reference', id: idOf(place) })),
})

interface Known {
  others: () => string[] | undefined
  /** As long as a busy machine may take; what nobody has is not waited for. */
  patienceMs: number
}

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const open = new Set<string>()

async function node(
  { database }: TestDatabase,
  { others = () => [...open], patienceMs = 60_000 }: Partial<Known> = {},
) {
  const cluster = await createClusterBus({ database, redis: undefined, log: quietLog })
  const moved = new MovedItems({
    items: new AnswerItems(),
    database,
    cluster,
    secrets,
    log: quietLog,
    nodes: { others: () => others()?.filter((id) => id !== cluster.nodeId) },
    patienceMs,
  })
  open.add(cluster.nodeId)
  closers.push(
    () => open.delete(cluster.nodeId),
    () => cluster.close(),
    () => moved.close(),
  )
  return {
    items: moved.items,
    moved,
    /** As a call does it. */
    restored: (userId: number, body: ReturnType<typeof referring>) => moved.restore(userId, body),
  }
}

describe.runIf(hasPostgres)('items of answers on several nodes', () => {
  let server: TestDatabase
  beforeAll(async () => {
    server = await createPostgres()
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    for (const table of ['moved_items', 'forgotten_turns'])
      await server.database.run(`DELETE FROM ${table}`)
  })

  const left = async () => (await server.database.select('SELECT id FROM moved_items')).length

  it('are found by each, whichever of them wrote them, and leave nothing behind', async () => {
    const [one, two, three] = [await node(server), await node(server), await node(server)]
    one.items.keep(1, [said(1, 'from one')])
    two.items.keep(1, [said(2, 'x'.repeat(200_000))])
    expect(await three.restored(1, referring(1, 2))).toEqual({
      input: [said(1, 'from one'), said(2, 'x'.repeat(200_000))],
    })
    expect(await left()).toBe(0)
    expect(three.items.unknown(1, referring(1, 2))).toEqual([])
  })

  it('are many in a long conversation', async () => {
    const [one, two] = [await node(server), await node(server)]
    const places = Array.from({ length: 150 }, (_, place) => place)
    one.items.keep(
      1,
      places.map((place) => said(place, `word ${place}`)),
    )
    expect(await two.restored(1, referring(...places))).toEqual({
      input: places.map((place) => said(place, `word ${place}`)),
    })
  })

  const turnId = (place: number) => `resp_2026112309000012345678${place}aBcDeFgH`
  const turn = (place: number, previous?: number) => {
    const output = [said(place, `word ${place}`)]
    return {
      id: turnId(place),
      previous: previous === undefined ? undefined : turnId(previous),
      items: output,
      answer: { head: { id: turnId(place), model: 'm' }, output },
    }
  }

  it('are answers, which any node tells again until the client deletes them', async () => {
    const [one, two, three] = [await node(server), await node(server), await node(server)]
    one.items.keepTurn(1, turn(1))
    two.items.keepTurn(1, turn(2, 1))
    expect(await three.moved.answer(1, turnId(2))).toEqual({
      head: { id: turnId(2), model: 'm' },
      added: [],
      output: [said(2, 'word 2')],
    })
    expect(await three.moved.inputOf(1, turnId(2))).toEqual([said(1, 'word 1')])
    expect(await left()).toBe(0)
    await two.moved.forgetTurn(1, turnId(2))
    for (const { items } of [two, three])
      await expect.poll(() => items.answer(1, turnId(2))).toBeUndefined()
    expect(three.items.answer(1, turnId(1))).toBeUndefined()
    expect(one.items.answer(1, turnId(1))).toBeDefined()
  })

  it('are forgotten with their answer by nodes that know only them, and not asked for again', async () => {
    const [one, two] = [await node(server), await node(server)]
    const output = [{ ...said(1, 'word'), id: `msg_${turnId(1).slice('resp_'.length)}_0` }]
    one.items.keep(1, output)
    one.items.keepTurn(1, { ...turn(1), items: output, answer: { head: {}, output } })
    const reference = { input: [{ type: 'item_reference', id: output[0]?.id }] }
    expect(await two.moved.restore(1, reference)).toEqual({ input: output })
    expect(await one.moved.forgetTurn(1, turnId(1))).toBe(true)
    await expect.poll(() => two.items.unknown(1, reference)).toHaveLength(1)
    for (const { moved } of [one, two]) {
      expect(await moved.restore(1, reference)).toBe(reference)
      expect(await moved.answer(1, turnId(1))).toBeUndefined()
      expect(await moved.conversation(1, turnId(1))).toBeUndefined()
      expect(await moved.forgetTurn(1, turnId(1))).toBe(false)
    }
  })

  it('are not taken over again by one that has just started, from one that has not heard of their end', async () => {
    const [one, deaf] = [await node(server), await node(server)]
    one.items.keepTurn(1, turn(1))
    expect(await one.moved.forgetTurn(1, turnId(1))).toBe(true)
    await expect.poll(() => deaf.moved.forgetTurn(1, turnId(1))).toBe(false)
    deaf.items.keepTurn(1, turn(1))
    const started = await node(server)
    expect(await started.moved.answer(1, turnId(1))).toBeUndefined()
    expect(await started.moved.conversation(1, turnId(1))).toBeUndefined()
  })

  it('are conversations, of which each node may know a part', async () => {
    const [one, two, three] = [await node(server), await node(server), await node(server)]
    one.items.keepTurn(1, turn(1))
    one.items.keepTurn(1, turn(2, 1))
    two.items.keepTurn(1, turn(3, 2))
    two.items.keepTurn(1, turn(4, 3))
    expect(await three.moved.conversation(1, turnId(4))).toEqual(
      [1, 2, 3, 4].map((place) => said(place, `word ${place}`)),
    )
    expect(await left()).toBe(0)
    expect(three.items.missingTurn(1, turnId(4))).toBeUndefined()
    expect(two.items.missingTurn(1, turnId(4))).toBe(turnId(2))
  })

  it('are brought although one user asks for many that nobody knows', async () => {
    const [one, two] = [await node(server), await node(server, { others: () => undefined })]
    one.items.keep(2, [said(1, 'from one')])
    const asked = Array.from({ length: 300 }, (_, place) => two.restored(1, referring(place)))
    expect(await two.restored(2, referring(1))).toEqual({ input: [said(1, 'from one')] })
    two.moved.close()
    await Promise.all(asked)
  })

  it('are not waited for once every other node has said that it has none of them', async () => {
    const [one, two, three] = [await node(server), await node(server), await node(server)]
    expect(await three.restored(1, referring(1))).toEqual(referring(1))
    // The ids fill several messages, and only the last one of them names what a node knows.
    const places = Array.from({ length: 150 }, (_, place) => place)
    one.items.keep(1, [said(149, 'last')])
    two.items.keep(1, [said(3, 'third')])
    expect(await three.restored(1, referring(...places))).toEqual({
      input: places.map((place) => {
        if (place === 3) return said(3, 'third')
        return place === 149 ? said(149, 'last') : referring(place).input[0]
      }),
    })
    expect(await left()).toBe(0)
  })

  it('are waited for where a node has not answered, but not for ever', async () => {
    const others = () => [...open, 'a node that was killed']
    const one = await node(server)
    const [two, hasty] = [
      await node(server, { others }),
      await node(server, { others, patienceMs: 20 }),
    ]
    expect(await hasty.restored(1, referring(2))).toEqual(referring(2))
    one.items.keep(1, [said(1, 'from one')])
    let isOver = false
    const restoring = two.restored(1, referring(1, 2)).finally(() => (isOver = true))
    await expect.poll(() => two.items.textsOf(1, idOf(1))).toHaveLength(1)
    await delivered()
    expect(isOver).toBe(false)
    two.moved.close()
    expect(await restoring).toEqual({ input: [said(1, 'from one'), ...referring(2).input] })
  })

  it('stay for whoever asked until they are old by the clock of the database, whatever that of a node says', async () => {
    const [one, two] = [await node(server), await node(server)]
    const waits = async (createdAt: number) => {
      await server.database.run(
        `INSERT INTO moved_items (question, id, sealed, created_at) VALUES ('other', 'x', '', :createdAt)`,
        { createdAt },
      )
    }
    const now = Math.floor(Date.now() / 1000)
    await waits(now)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    try {
      one.items.keep(1, [said(1, 'from one'), said(2, 'again')])
      expect(await two.restored(1, referring(1))).toEqual({ input: [said(1, 'from one')] })
      expect(await left()).toBe(1)
    } finally {
      vi.useRealTimers()
    }
    await server.database.run('DELETE FROM moved_items')
    await waits(now - 120)
    expect(await two.restored(1, referring(2))).toEqual({ input: [said(2, 'again')] })
    expect(await left()).toBe(0)
  })

  it('are asked for by nobody who is alone', async () => {
    const alone = await node(server)
    const heard: unknown[] = []
    const cluster = await createClusterBus({
      database: server.database,
      redis: undefined,
      log: quietLog,
    })
    closers.push(() => cluster.close())
    cluster.subscribe(
      'items.wanted',
      (question) => void heard.push(question),
      async () => undefined,
    )
    expect(await alone.moved.answer(1, turnId(1))).toBeUndefined()
    expect(heard).toEqual([])
  })

  it('are given to nobody but their user, and lie sealed on their way', async () => {
    const [one, two, three] = [await node(server), await node(server), await node(server)]
    one.items.keep(1, [said(1, 'a private word')])
    one.items.keep(2, [said(2, 'of another user')])
    const body = referring(1)
    // Both are answered together, so that nothing more is to come.
    void three.moved.restore(2, referring(1, 2))
    await expect.poll(() => three.items.textsOf(2, idOf(2))).toHaveLength(1)
    expect(three.items.textsOf(2, idOf(1))).toEqual([])
    const rows: { sealed: string }[] = []
    const { run } = server.database
    const spy: typeof run = (sql, values, transaction) => {
      if (sql.startsWith('INSERT INTO moved_items')) rows.push({ sealed: JSON.stringify(values) })
      return run(sql, values, transaction)
    }
    server.database.run = spy
    try {
      expect(await two.restored(1, body)).toEqual({ input: [said(1, 'a private word')] })
    } finally {
      server.database.run = run
    }
    expect(rows).toHaveLength(1)
    expect(rows[0]?.sealed).not.toContain('private')
  })
})

it('asks nobody for what a provider has named, or where there is one process', async () => {
  const server = await createSqlite()
  closers.push(() => server.close())
  const { items, restored } = await node(server)
  const foreign = { input: [{ type: 'item_reference', id: 'msg_68a1b2c3d4e5f6' }] }
  expect(items.unknown(1, foreign)).toEqual([])
  expect(await restored(1, referring(1))).toEqual(referring(1))
})
