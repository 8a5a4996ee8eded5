import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSqlite, quietLog, type TestDatabase } from '../../../test/harness/databases.ts'
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
