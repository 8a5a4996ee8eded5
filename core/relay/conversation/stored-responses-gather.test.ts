import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createSqlite,
  databaseKinds,
  quietLog,
  type TestDatabase,
} from '../../../test/harness/databases.ts'
import type { ChannelView } from '../../contract/adapter.ts'
import type { DatabaseService } from '../../contract/services.ts'
import { databaseAway } from '../../data/database-errors.ts'
import { storedResponses } from '../../data/models/stored-response.ts'
import { createSecrets } from '../../secrets/secrets.ts'
import { StoredResponses } from './stored-responses.ts'

const channel: ChannelView = {
  id: 7,
  type: 1,
  name: 'c',
  key: 'sk-upstream',
  baseUrl: '',
  other: '',
  organization: '',
  models: [],
  setting: {},
}

let sqlite: TestDatabase
let statements = 0

beforeAll(async () => {
  sqlite = await createSqlite()
})
afterAll(() => sqlite.close())

function open(): StoredResponses {
  return over(sqlite.database, () => void (statements += 1))
}

/** @param before each statement that writes */
function over(database: DatabaseService, before: () => unknown): StoredResponses {
  const watched: DatabaseService = Object.create(database, {
    run: {
      value: async (...words: Parameters<DatabaseService['run']>) => {
        await before()
        return database.run(...words)
      },
    },
  })
  return new StoredResponses({
    database: watched,
    secrets: createSecrets(Buffer.alloc(32, 1)),
    log: quietLog,
  })
}

const away = () => Promise.reject(databaseAway({}, { cause: new Error('Connection terminated') }))

it('writes what a busy gateway makes in few statements, and loses none of it', async () => {
  const busy = open()
  const begunMs = performance.now()
  for (let made = 0; made < 60; made += 1) {
    busy.remember({ userId: 1, id: `resp_${made}`, channel, model: 'm' })
    await delay(1)
  }
  await busy.close()
  // Twenty milliseconds lie between two of them, however long the machine takes.
  expect(statements).toBeLessThan(2 + (performance.now() - begunMs) / 19)
  const other = open()
  for (let made = 0; made < 60; made += 1) {
    const found = await other.find(1, `resp_${made}`)
    expect(found).toMatchObject({ channelId: 7, model: 'm' })
    expect(found !== undefined && found !== 'foreign' && other.viewOf(found, [channel])).toBe(
      channel,
    )
  }
})

it('deletes what gathered, wherever it stands among the rows that are being written', async () => {
  const busy = open()
  busy.remember({ userId: 1, id: 'gone_first', channel, model: 'm' })
  for (let made = 0; made < 450; made += 1)
    busy.remember({ userId: 1, id: `gone_${made}`, channel, model: 'm' })
  await Promise.resolve()
  await Promise.resolve()
  await busy.forget(1, 'gone_449')
  await busy.close()
  expect(await open().find(1, 'gone_449')).toBeUndefined()
  expect(await open().find(1, 'gone_448')).toMatchObject({ channelId: 7 })
})

it('writes what was made while the database was away, but for what is forgotten', async () => {
  let tries = 0
  const made = over(sqlite.database, () => ((tries += 1) <= 2 ? away() : undefined))
  for (const id of ['of_outage', 'forgotten', 'after'])
    made.remember({ userId: 1, id, channel, model: 'm' })
  await expect.poll(() => tries).toBe(1)
  await made.forget(1, 'forgotten')
  await expect.poll(() => open().find(1, 'of_outage')).toMatchObject({ channelId: 7 })
  expect(await open().find(1, 'after')).toMatchObject({ channelId: 7 })
  expect(await open().find(1, 'forgotten')).toBeUndefined()
  await made.close()
})

it('does not keep a stop waiting for a database that is away', async () => {
  const made = over(sqlite.database, away)
  made.remember({ userId: 1, id: 'of_the_end', channel, model: 'm' })
  await made.close()
  expect(await open().find(1, 'of_the_end')).toBeUndefined()
})

/** By SQL, for they are older than the gateway lets them be. */
async function addRows(database: DatabaseService, count: number, createdAt: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => [
    `old_${createdAt}_${at}`,
    1,
    7,
    '',
    'm',
    createdAt,
  ])
  for (let at = 0; at < count; at += 1_000)
    await database.run(
      `INSERT INTO stored_responses (id, user_id, channel_id, key_hash, model, created_at) VALUES :rows`,
      { rows: rows.slice(at, at + 1_000) },
    )
}

async function countRows(database: DatabaseService): Promise<number> {
  const sql = `SELECT COUNT(*) AS count FROM stored_responses WHERE id LIKE 'old_%'`
  const [counted] = await database.select<{ count: number }>(sql)
  return counted?.count ?? 0
}

describe.each(databaseKinds)('what providers have forgotten, on $name', ({ create }) => {
  let test: TestDatabase
  let responses: StoredResponses
  const now = Math.floor(Date.now() / 1000)

  beforeAll(async () => {
    test = await create()
    const secrets = createSecrets(Buffer.alloc(32, 1))
    responses = new StoredResponses({ database: test.database, secrets, log: quietLog })
    await addRows(test.database, 20_000, now - 31 * 86_400)
    await addRows(test.database, 10, now - 29 * 86_400)
  })
  afterAll(() => test.close())

  it('goes in slices, between which others write', async () => {
    const { database } = test
    const sweeping = responses.sweep()
    await database.run(`UPDATE stored_responses SET model = 'n' WHERE created_at = :now`, { now })
    expect(await countRows(database)).toBeGreaterThan(10)
    await sweeping
    expect(await countRows(database)).toBe(10)
  })

  it('does not take the responses of others with it where a provider draws an id of any length', async () => {
    const long = randomBytes(4_000).toString('hex')
    for (const [userId, id] of [
      [1, 'short_1'],
      [2, long],
      [3, 'short_3'],
    ] as const)
      responses.remember({ userId, id, channel, model: 'm' })
    await responses.close()
    expect(await responses.find(2, long)).toBeUndefined()
    const later = new StoredResponses({
      database: test.database,
      secrets: createSecrets(Buffer.alloc(32, 1)),
      log: quietLog,
    })
    for (const userId of [1, 3])
      expect(await later.find(userId, `short_${userId}`)).toMatchObject({ channelId: 7 })
  })

  it('stays where the job is told to stop', async () => {
    await addRows(test.database, 20, now - 32 * 86_400)
    await responses.sweep(AbortSignal.abort())
    expect(await countRows(test.database)).toBe(30)
  })
})

const postgres = databaseKinds.find(({ name }) => name === 'PostgreSQL')

it.runIf(postgres)('is found by another node while the one that made it gathers', async () => {
  const test = await postgres?.create()
  if (test === undefined) return
  let looks = 0
  const looked = Promise.withResolvers<undefined>()
  const written = Promise.withResolvers<unknown>()
  const one = over(test.database, () => looked.promise)
  const two = over(test.database, () => undefined)
  // It is written after the other has looked for it in vain, and before it looks again, however long either takes.
  storedResponses(test.database).addHook('beforeFind', async () => {
    looks += 1
    if (looks === 2) await written.promise
  })
  storedResponses(test.database).addHook('afterFind', () => looked.resolve(undefined))
  one.remember({ userId: 1, id: 'next', channel, model: 'm' })
  written.resolve(one.close())
  expect(await two.find(1, 'next')).toMatchObject({ channelId: 7 })
  expect(looks).toBe(2)
  expect(await two.find(2, 'next')).toBe('foreign')
  expect(await two.find(1, 'of_elsewhere')).toBeUndefined()
  await test.close()
})
