// Captured calls on each database: encrypted, deleted in time, within the size limit.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CallObserver, RelayView, SeenCall } from '#core'
import { migratePlugin } from '../../core/data/migrate.ts'
import { type CoreServices, createCoreServices } from '../../test/harness/core-services.ts'
import { databaseKinds, quietLog } from '../../test/harness/databases.ts'
import { deleteCallsOf, insertSubject, selectCalls, totalSize } from './capture-sql.ts'
import capture from './index.ts'
import { Recorder } from './recorder.ts'
import { Subjects } from './subjects.ts'
import { sweep } from './sweep.ts'

const view = (userId: number, content: string) =>
  ({
    requestId: 'r',
    userId,
    tokenId: 11,
    group: 'default',
    model: 'm',
    operation: 'chat',
    dialect: 'openai-chat',
    isStream: false,
    body: { messages: [{ role: 'user', content }] },
    texts: () => [content],
  }) satisfies RelayView
const seen: SeenCall = {
  status: 200,
  channelId: 1,
  error: undefined,
  answer: { text: 'answer' },
  isCut: false,
  durationMs: 1,
}
const all = { userId: undefined, tokenId: undefined, model: '', start: undefined, end: undefined }

describe.each(databaseKinds)('keeping calls on $name', (kind) => {
  let core: CoreServices
  let recorder: Recorder

  beforeEach(async () => {
    core = await createCoreServices(kind)
    await migratePlugin(core.database, capture, quietLog)
    recorder = new Recorder({ ...core, log: quietLog, callChars: () => 1_024 })
  })
  afterEach(() => core.close())

  const total = async () => (await selectCalls(core.database, all, { limit: 1, offset: 0 })).total

  it('leaves nothing readable in the table', async () => {
    recorder.keep(view(1, 'a secret of somebody'), seen)
    await recorder.write()
    const rows = await core.database.select('SELECT * FROM capture__calls')
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(/secret|answer/)
  })

  it('begins with the first call after the plugin was switched on', async () => {
    await insertSubject(core.database, {
      kind: 'user',
      id: 1,
      created_by: 'root',
      created_at: 1,
      most: 10,
    })
    const hooks: CallObserver[] = []
    const nothing = () => () => undefined
    const services = {
      ...core,
      log: quietLog,
      cluster: { subscribe: nothing },
      events: { on: nothing },
      jobs: { add: nothing },
      routes: { add: nothing },
      relayHooks: { add: (hook: CallObserver) => hooks.push(hook) },
    }
    const end = await capture.server?.(services as never)
    expect([1, 2].map((userId) => hooks[0]?.applies?.(view(userId, 'Hi')))).toEqual([true, false])
    await end?.()
  })

  it('ends with the account, also for calls that ended after it', async () => {
    for (const username of ['gone', 'here'])
      await core.database.run(
        'INSERT INTO users (username, aff_code) VALUES (:username, :username)',
        {
          username,
        },
      )
    const [gone, here] = await core.database.select<{ id: number }>(
      'SELECT id FROM users ORDER BY id',
    )
    await core.database.run('UPDATE users SET deleted_at = :now WHERE id = :id', {
      now: new Date().toISOString(),
      id: gone?.id,
    })
    for (const user of [gone, here, gone]) recorder.keep(view(user?.id ?? 0, 'words'), seen)
    await recorder.write()
    await sweep(core.database, { before: 0, mostSize: 1e9 }, new AbortController().signal)
    const left = await core.database.select('SELECT user_id FROM capture__calls')
    expect(left).toEqual([{ user_id: here?.id }])
  })

  it('ends with its time, and with its room, the oldest first', async () => {
    for (let count = 0; count < 450; count += 1) recorder.keep(view(1, 'x'.repeat(900)), seen)
    await recorder.write()
    const now = Math.floor(Date.now() / 1000)
    await core.database.run('UPDATE capture__calls SET created_at = :old WHERE id <= 210', {
      old: now - 90_000,
    })
    const { signal } = new AbortController()
    await sweep(core.database, { before: now - 86_400, mostSize: 1e9 }, signal)
    expect(await total()).toBe(240)
    await sweep(core.database, { before: 0, mostSize: 50_000 }, signal)
    expect(await totalSize(core.database)).toBeLessThanOrEqual(50_000)
    const { rows } = await selectCalls(core.database, all, { limit: 100, offset: 0 })
    expect(rows.length).toBeGreaterThan(0)
    for (const { id } of rows) expect(id).toBeGreaterThan(400)
  })

  it('loses what is too much at once, and says how many', async () => {
    const { transaction } = core.database
    core.database.transaction = () => Promise.reject(new Error('away'))
    recorder.keep(view(1, 'a'), seen)
    await recorder.write()
    core.database.transaction = transaction.bind(core.database)
    expect(recorder.lost).toBe(1)
    recorder.keep(view(1, 'b'), seen)
    await recorder.write()
    expect(await total()).toBe(1)
  })

  it('ends with the account', async () => {
    for (const userId of [1, 1, 2]) recorder.keep(view(userId, 'a'), seen)
    await recorder.write()
    expect(await deleteCallsOf(core.database, 1, 100)).toBe(2)
    expect(await total()).toBe(1)
  })

  it('knows whose calls are kept, on each node that has read it', async () => {
    const subjects = new Subjects(core.database)
    const subject = { kind: 'user', id: 1, created_by: 'root', created_at: 0, most: 2 } as const
    expect(await insertSubject(core.database, subject)).toBe(true)
    expect(await insertSubject(core.database, subject)).toBe(false)
    expect(await insertSubject(core.database, { ...subject, kind: 'token', id: 11 })).toBe(true)
    expect(await insertSubject(core.database, { ...subject, id: 3 })).toBe(false)
    expect(subjects.has({ userId: 1, tokenId: 0 })).toBe(false)
    await subjects.reload()
    expect(subjects.has({ userId: 1, tokenId: 0 })).toBe(true)
    expect(subjects.has({ userId: 2, tokenId: 11 })).toBe(true)
    expect(subjects.has({ userId: 11, tokenId: 1 })).toBe(false)
  })
})
