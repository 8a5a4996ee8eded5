import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createSqlite,
  databaseKinds,
  quietLog,
  type TestDatabase,
} from '../../../test/harness/databases.ts'
import type { ChannelView } from '../../contract/adapter.ts'
import type { DatabaseService } from '../../contract/services.ts'
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
  const counted: DatabaseService = Object.create(sqlite.database, {
    run: {
      value: (...words: Parameters<DatabaseService['run']>) => {
        statements += 1
        return sqlite.database.run(...words)
      },
    },
  })
  return new StoredResponses({
    database: counted,
    secrets: createSecrets(Buffer.alloc(32, 1)),
    log: quietLog,
  })
}

it('writes what a busy gateway makes in few statements, and loses none of it', async () => {
  const busy = open()
  for (let made = 0; made < 60; made += 1) {
    busy.remember({ userId: 1, id: `resp_${made}`, channel, model: 'm' })
    await delay(1)
  }
  await busy.close()
  expect(statements).toBeLessThan(15)
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

const postgres = databaseKinds.find(({ name }) => name === 'PostgreSQL')

it.runIf(postgres)('is found by another node while the one that made it gathers', async () => {
  const test = await postgres?.create()
  if (test === undefined) return
  const node = () => {
    const secrets = createSecrets(Buffer.alloc(32, 1))
    return new StoredResponses({ database: test.database, secrets, log: quietLog })
  }
  const [one, two] = [node(), node()]
  for (let made = 0; made < 30; made += 1) {
    const id = `next_${made}`
    one.remember({ userId: 1, id, channel, model: 'm' })
    expect(await two.find(1, id)).toMatchObject({ channelId: 7 })
    expect(await two.find(2, id)).toBe('foreign')
  }
  expect(await two.find(1, 'of_elsewhere')).toBeUndefined()
  await one.close()
  await test.close()
})
