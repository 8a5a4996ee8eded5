// `tollgate import`: a customer of one-api or new-api goes on with the password, the key and the balance that he had.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, openaiClient, sendJson, startApp } from '#test'
import { runImport } from '../../../core/cli/import-database.ts'
import { ApiClient } from '../../harness/api-client.ts'
import { expectSoundBooks } from '../../harness/books.ts'
import { commandWithin } from '../../harness/gateway-process.ts'
import { type GatewayDatabase, gatewayDatabases } from '../../harness/gateway-databases.ts'
import { makeOldGateway, oldGatewaySql } from '../../harness/old-gateways/tables.ts'
import {
  code,
  earlyNewApiRows,
  keyOf,
  newApiRows,
  oneApiRows,
  passwordOf,
} from '../../harness/old-gateways/rows.ts'
import { createEmptyPostgres, hasPostgres } from '../../harness/databases.ts'
import { completion } from '../../harness/chat-chunks.ts'
import { scriptedUpstream, type ScriptedUpstream } from '../../harness/scripted-upstream.ts'
import { layMigratedFile } from '../../harness/sqlite.ts'

const adaPassword = passwordOf.ada
const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }

const importing = (env: Readonly<Record<string, string>>, ...words: string[]) =>
  commandWithin(env, (print) => runImport(words, print))

describe.each(gatewayDatabases)('importing new-api into $name', ({ open }) => {
  let database: GatewayDatabase
  let upstream: ScriptedUpstream
  let app: App
  let output: string
  let ada: ApiClient

  beforeAll(async () => {
    database = await open()
    upstream = await scriptedUpstream()
    upstream.behave((response) => sendJson(response, completion('Hello', usage)))
    app = await startApp({ env: database.env, isSetUp: false, isWithin: true })
    await app.process.stop()
    const file = join(app.dataDir, 'one-api.db')
    makeOldGateway(file, newApiRows(upstream.url))
    const imported = await importing(app.env, file)
    output = imported.output
    expect(output).toContain('every balance is right')
    expect(imported.code).toBe(0)
    await rm(file)
    await app.restart()
    ada = await new ApiClient(app.url).signIn('ada', adaPassword)
  })
  afterAll(async () => {
    await app.close()
    await upstream.close()
    await database.close()
  })

  it('says what was taken over, what was not, and why', () => {
    for (const line of [
      'users: 4',
      'tokens: 1',
      'channels: 5',
      'options: 5',
      'redemptions: 1',
      'logs: 2',
      'user names: 1 left out, the account has another one now (user-9)',
      'passwords: 1 left out, their form is unknown (bob)',
      'mail addresses: 1 left out, another account has the same (bob)',
      'identities (github_id): 1 left out, they may be login names (root)',
      'identities (discord_id): 1 left out, there is no such sign-in here (ada)',
      'settings of channels: 1 left out, disable_store does not exist here (24)',
      'headers of channels: 2 left out, they cannot be set or have a placeholder (24 X-Key, 24 Host)',
      'remarks of channels: 1 left out, a channel has none here (24)',
      'tokens: 1 left out, they were deleted',
      'tokens: 1 left out, their account was deleted',
      'tokens: 1 left out, their keys have another form (odd)',
      'channels: 1 left out, type 57 does not exist here: disabled (22)',
      'fields of channels: 1 left out, models has a form that is refused here (22)',
      'fields of channels: 1 left out, model_mapping has a form that is refused here (23)',
      'fields of channels: 1 left out, setting.proxy has a form that is refused here (25)',
      'fields of channels: 1 left out, setting.force_format has a form that is refused here (25)',
      'ways to be told of things: 1 left out, there is no gotify here (bob)',
      'options: 6 left out, there is no such option here (LegacyThingA, LegacyThingB, LegacyThingC, LegacyThingD, LegacyThingE, LegacyThingF)',
      'redemptions: 1 left out, they were used',
      'orders: they stay in the old database',
      'subscriptions: they stay in the old database',
      'identities at sign-in providers of its own: they stay in the old database',
      'other tables with rows: they stay in the old database (vendors)',
    ])
      expect(output.split('\n')).toContain(line)
    expect(output).toMatch(/options: 1 left out, .*\(QuotaForNewUser\)/)
    expect(output).toMatch(/options: 1 left out, .* before TelegramBotToken .*/)
    expect(output).not.toMatch(/sk-upstream|hush-hush|aws_key_type/)
  })

  it('keeps accounts with password, balance, group, inviter and settings', async () => {
    const own = await ada.get('/api/user/self')
    expect(own).toMatchObject({
      id: 7,
      quota: 5_000_000,
      used_quota: 700,
      request_count: 3,
      group: 'vip',
      email: 'ada@example.com',
      aff_code: 'bbbb',
      inviter_id: 1,
      telegram_id: '99',
    })
    expect(await app.root.get('/api/user/8')).toMatchObject({
      status: 2,
      quota: -250,
      aff_code: '',
    })
    expect(await app.root.get('/api/user/1')).toMatchObject({ role: 100, github_id: '' })
    expect(JSON.stringify(own)).not.toContain('secret-of-gotify')
    await expectSoundBooks(app)
  })

  it('switches on what was on, if what it needs came with it', async () => {
    const status = await app.root.get('/api/status')
    expect(status).toMatchObject({ github_oauth: true, github_client_id: 'old-client' })
  })

  it('keeps channels, and disables what cannot serve here', async () => {
    const channel = (id: number) => app.root.get(`/api/channel/${id}`)
    expect(await channel(21)).toMatchObject({
      name: 'first',
      models: 'old-model',
      group: 'default,vip',
      weight: 3,
      priority: 5,
      tag: 'blue',
      openai_organization: 'org-1',
      used_quota: 42,
      balance: 1.5,
      status: 1,
    })
    expect(await channel(22)).toMatchObject({ type: 57, status: 2 })
    const many = await app.root.get<{ setting: string; status: number }>('/api/channel/23')
    expect(JSON.parse(many.setting)).toEqual({ multi_key: true, multi_key_mode: 'polling' })
    expect(many.status).toBe(2)
  })

  it('keeps keys disabled that were, and what is set beside them', async () => {
    const record = await app.root.get<{ setting: string; other_info: string; status: number }>(
      '/api/channel/24',
    )
    expect(record.status).toBe(1)
    expect(JSON.parse(record.setting)).toMatchObject({
      multi_key_mode: 'random',
      allow_service_tier: true,
      system_prompt: 'Be brief.',
    })
    expect(record).toMatchObject({ setting_secrets: ['headers'] })
    expect(JSON.parse(record.other_info)).toEqual({
      keys: 3,
      dead_keys: [{ position: 2, reason: 'quota', time: 0 }],
    })
    const refused = await app.root.get<{ setting: string; status: number }>('/api/channel/25')
    expect(refused).toMatchObject({
      status: 2,
      base_url: 'https://open.bigmodel.cn/api/coding/paas/v4',
    })
    expect(JSON.parse(refused.setting)).toMatchObject({
      multi_key: true,
      thinking_to_content: true,
    })
    expect(refused.setting).not.toMatch(/proxy|force_format/)
  })

  it('serves calls with the old key through the old channel at the old prices', async () => {
    await openaiClient(app.url, `sk-${keyOf('a')}`).chat.completions.create({
      model: 'old-model',
      messages: [{ role: 'user', content: 'Hello' }],
    })
    expect(upstream.calls.at(-1)?.headers['authorization']).toBe('Bearer sk-upstream-key')
    const { quota } = await ada.get<{ quota: number }>('/api/user/self')
    expect(quota).toBeLessThan(5_000_000)
    const refused = openaiClient(app.url, `sk-${keyOf('b')}`).models.list()
    await expect(refused).rejects.toMatchObject({ status: 401 })
  })

  it('redeems a code once', async () => {
    expect(await ada.post('/api/user/topup', { key: code })).toBe(500_000)
    await expect(ada.post('/api/user/topup', { key: code })).rejects.toThrow()
  })

  it('shows the old rows of the log, without a key in them', async () => {
    const { items } = await app.root.get<{ items: Record<string, unknown>[] }>(
      '/api/log/?username=ada&end_timestamp=1700000100',
    )
    expect(items).toHaveLength(2)
    expect(items[1]).toMatchObject({
      type: 2,
      quota: 700,
      use_time: 2,
      is_stream: true,
      channel_name: 'first',
      other: '{"model_ratio":1}',
    })
    expect(items[0]).toMatchObject({ type: 5, content: 'refused: Bearer ***', other: '' })
  })

  it('gives new accounts ids of their own', async () => {
    await app.root.post('/api/user/', { username: 'new', password: 'long enough' })
    const { items } = await app.root.get<{ items: { id: number }[] }>('/api/user/?p=1')
    expect(Math.max(...items.map(({ id }) => id))).toBeGreaterThan(9)
  })

  it('refuses to fill a database with accounts, and sources of another kind', async () => {
    await app.process.stop()
    const file = join(app.dataDir, 'again.db')
    makeOldGateway(file, newApiRows(upstream.url))
    expect(await importing(app.env, file)).toMatchObject({
      code: 1,
      output: expect.stringContaining('there are accounts here already'),
    })
    expect(await importing(app.env, join(app.dataDir, 'nowhere.db'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('nowhere.db is no file of SQLite'),
    })
    expect(await importing(app.env, 'mallory:secret@somewhere')).toMatchObject({
      code: 1,
      output: expect.not.stringContaining('secret'),
    })
    expect(await importing(app.env, file, 'more')).toMatchObject({ code: 2 })
  })
})

describe('importing one-api', () => {
  let upstream: ScriptedUpstream
  let app: App

  beforeAll(async () => {
    upstream = await scriptedUpstream()
    upstream.behave((response) => sendJson(response, completion('Hello', usage)))
    app = await startApp({ isSetUp: false, isWithin: true })
    await app.process.stop()
    const file = join(app.dataDir, 'one-api.db')
    makeOldGateway(file, oneApiRows(upstream.url))
    const { code: exitCode, output } = await app.command('import', file)
    expect(output).toContain('channels: 1 left out, type 38 does not exist here: disabled (3)')
    expect(exitCode).toBe(0)
    await app.restart()
  })
  afterAll(async () => {
    await app.close()
    await upstream.close()
  })

  it('gives its channel types the numbers that they have here', async () => {
    const channel = (id: number) => app.root.get(`/api/channel/${id}`)
    expect(await channel(2)).toMatchObject({ type: 1, base_url: 'https://api.stepfun.com' })
    expect(await channel(3)).toMatchObject({ type: 0, status: 2 })
    expect(await channel(4)).toMatchObject({ type: 41, other: 'us-east5' })
    expect(await channel(5)).toMatchObject({ type: 1000, status: 1 })
  })

  it('keeps the models and networks of a token, and the prompt of its channel', async () => {
    const client = openaiClient(app.url, `sk-${keyOf('d')}`)
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    await client.chat.completions.create({ model: 'old-model', messages })
    const [system] = messages
    expect(upstream.calls.at(-1)?.body).toMatchObject({
      messages: [{ role: 'system', content: 'Be brief.' }, system],
    })
    const other = client.chat.completions.create({ model: 'g', messages })
    await expect(other).rejects.toMatchObject({ status: 403 })
    const [token] = await app.root.get<{ allow_ips: string }[]>('/api/token/?p=0')
    expect(token?.allow_ips).toBe('127.0.0.0/8\n10.0.0.0/8')
  })

  it('refuses a database of this gateway as a source', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tollgate-import-'))
    await layMigratedFile(folder)
    const env = { ...app.env, DATA_DIR: join(folder, 'new') }
    expect(await importing(env, join(folder, 'tollgate.db'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('is a database of this gateway'),
    })
    await rm(folder, { recursive: true })
  })

  it('takes an early new-api for what it is', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'tollgate-import-'))
    const file = join(DATA_DIR, 'old.db')
    makeOldGateway(file, earlyNewApiRows(upstream.url))
    const trusting = await importing({ ...app.env, DATA_DIR }, file, '--trust', 'name')
    expect(trusting.output).toContain('--trust name: no such column, only github_id')
    expect(trusting.code).toBe(1)
    const { output } = await importing({ ...app.env, DATA_DIR }, file)
    expect(output).toContain('The source is a database of new-api.')
    await rm(DATA_DIR, { recursive: true })
  })

  it('keeps how long a call took', async () => {
    const { items } = await app.root.get<{ items: { use_time_ms: number }[] }>(
      '/api/log/?type=2&end_timestamp=1700000100',
    )
    expect(items).toMatchObject([{ use_time_ms: 1500, quota: 5 }])
  })
})

describe.runIf(hasPostgres)('importing from a PostgreSQL', () => {
  it('reads accounts, keys and rows as from a file', async () => {
    const source = await createEmptyPostgres()
    const client = new pg.Client({ connectionString: source.url })
    await client.connect()
    for (const statement of oldGatewaySql(newApiRows('http://127.0.0.1:9')))
      await client.query(statement)
    await client.end()
    const app = await startApp({ isSetUp: false, isWithin: true })
    await app.process.stop()
    const words = [source.url, '--trust', 'github_id']
    const { code: exitCode, output } = await importing(app.env, ...words)
    expect(exitCode).toBe(0)
    for (const line of ['users: 4', 'tokens: 1', 'channels: 5', 'redemptions: 1', 'logs: 2'])
      expect(output.split('\n')).toContain(line)
    await app.restart()
    expect(await app.root.get('/api/user/1')).toMatchObject({ github_id: '583231' })
    await app.close()
    await source.close()
  })
})
