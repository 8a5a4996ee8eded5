// `tollgate import` of a one-api that has been in use for long: what its rows mean there is what they mean here.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, openaiClient, sendJson, startApp } from '#test'
import { runImport } from '../../../core/cli/import-database.ts'
import { ApiClient } from '../../harness/api-client.ts'
import { commandWithin } from '../../harness/gateway-process.ts'
import { completion } from '../../harness/chat-chunks.ts'
import { oneApiOfDailyUse } from '../../harness/old-gateways/one-api-rows.ts'
import { keyOf, passwordOf } from '../../harness/old-gateways/rows.ts'
import { makeOldGateway } from '../../harness/old-gateways/tables.ts'
import { scriptedUpstream, type ScriptedUpstream } from '../../harness/scripted-upstream.ts'

const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }

describe('importing a one-api of daily use', () => {
  let upstream: ScriptedUpstream
  let app: App
  let lines: string[]

  const importing = (env: Record<string, string>, ...words: string[]) =>
    commandWithin({ ...app.env, ...env }, (print) => runImport(words, print))

  beforeAll(async () => {
    upstream = await scriptedUpstream()
    upstream.behave((response) => sendJson(response, completion('Hello', usage)))
    app = await startApp({ isSetUp: false, isWithin: true })
    await app.process.stop()
    const file = join(app.dataDir, 'one-api.db')
    makeOldGateway(file, oneApiOfDailyUse(upstream.url))
    const { code, output } = await importing({}, file)
    expect(output).toContain('every balance is right')
    expect(code).toBe(0)
    lines = output.split('\n')
    await rm(file)
    await app.restart()
  })
  afterAll(async () => {
    await app.close()
    await upstream.close()
  })

  const call = (letter: string, model: string) =>
    openaiClient(app.url, `sk-${keyOf(letter)}`).chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'Hello' }],
    })

  it('leaves removed accounts removed', async () => {
    const { items } = await app.root.get<{ items: { id: number; DeletedAt: string | null }[] }>(
      '/api/user/?p=1&page_size=10',
    )
    const removed = items.filter(({ DeletedAt }) => DeletedAt !== null).map(({ id }) => id)
    expect(removed).toEqual([2])
    expect(lines).toContain('tokens: 1 left out, their account was deleted')
    await expect(call('a', 'old-model')).rejects.toMatchObject({ status: 401 })
  })

  it('lets an account keep an address that a removed one also has', async () => {
    const ada = await new ApiClient(app.url).signIn('ada@example.com', passwordOf.ada)
    expect(await ada.get('/api/user/self')).toMatchObject({ id: 3, email: 'ada@example.com' })
    await call('b', 'old-model')
  })

  it('serves calls at the addresses that they went to', async () => {
    await call('b', 'old-model')
    expect(upstream.calls.at(-1)?.path).toBe('/v1/chat/completions')
    await call('b', 'gem')
    expect(upstream.calls.at(-1)).toMatchObject({
      path: '/v1beta/openai/chat/completions',
      headers: { authorization: 'Bearer key-of-google' },
    })
    await call('b', 'bai')
    expect(upstream.calls.at(-1)?.path).toBe('/compatible-mode/v1/chat/completions')
    expect(await app.root.get('/api/channel/4')).toMatchObject({
      type: 1,
      base_url: 'https://generativelanguage.googleapis.com/v1beta/openai',
    })
  })

  it('disables a channel whose calls would go elsewhere', async () => {
    expect(await app.root.get('/api/channel/2')).toMatchObject({
      status: 2,
      base_url: upstream.url,
    })
    expect(lines).toContain(
      'channels: 1 left out, their calls went to the address itself and would go to /v1 below it: disabled (2)',
    )
  })

  it.each([
    ['gpt-3.5-turbo', 'gpt-35-turbo'],
    ['mapped', 'my-gpt-41'],
    ['plain', 'plain'],
  ])('calls the deployment of %s on Azure by its name without dots', async (model, name) => {
    await call('b', model)
    expect(upstream.calls.at(-1)?.path).toBe(
      `/openai/deployments/${name}/chat/completions?api-version=2024-02-01`,
    )
  })

  it('has the bot of a model where a channel has it here', async () => {
    expect(await app.root.get('/api/channel/8')).toMatchObject({
      type: 49,
      status: 1,
      other: '738',
      base_url: 'https://api.coze.com',
    })
    expect(await app.root.get('/api/channel/9')).toMatchObject({ type: 49, status: 2, other: '' })
    expect(lines).toContain(
      'channels: 1 left out, each of their models is a bot there, and a channel has one here: disabled (9)',
    )
  })

  it('takes no type for one that only has the same number', async () => {
    expect(await app.root.get('/api/channel/5')).toMatchObject({ type: 0, status: 2 })
    expect(lines).toContain('channels: 1 left out, type 56 does not exist here: disabled (5)')
  })

  it('shows no test of a channel as an error', async () => {
    const { items } = await app.root.get<{ items: { type: number }[] }>(
      '/api/log/?end_timestamp=1700000100',
    )
    expect(items).toMatchObject([{ type: 4, channel_name: 'compatible' }])
  })

  it('names models that had a price by default, and have none here', () => {
    expect(lines).toContain(
      'prices of models: 2 left out, calls are refused until one is set (gem-2, bot-738)',
    )
  })

  it('names outputs whose ratio was built in, with the one that holds here', () => {
    expect(lines).toContain(
      'ratios of outputs: 2 left out, compare these, which hold now (bai 1, gpt-5-of-ours 8)',
    )
  })

  it('lets models be called whose price was built in', async () => {
    await call('b', 'gpt-4o-mini')
    expect(upstream.calls.at(-1)?.headers['authorization']).toBe('Bearer sk-upstream-key')
  })

  it('keeps a token expired whose time is 0', async () => {
    await expect(call('c', 'old-model')).rejects.toMatchObject({ status: 401 })
  })

  it('keeps the sign-in whose options have other names here', async () => {
    expect(await app.root.get('/api/status')).toMatchObject({
      oidc_enabled: true,
      oidc_client_id: 'old-client',
    })
  })

  it('reads the log of a gateway that keeps it in a database of its own', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'tollgate-import-'))
    const [file, log] = [join(DATA_DIR, 'old.db'), join(DATA_DIR, 'log.db')]
    const { logs = [], ...others } = oneApiOfDailyUse(upstream.url)
    makeOldGateway(file, others)
    makeOldGateway(log, { logs })
    const wrong = await importing({ DATA_DIR }, file, '--logs', file)
    expect(wrong.output).toContain('--logs: there is no table logs; nothing was imported')
    expect(wrong.code).toBe(1)
    const right = await importing({ DATA_DIR }, file, '--logs', log)
    expect(right.output.split('\n')).toContain('logs: 1')
    await rm(DATA_DIR, { recursive: true })
  })

  it('says that the log may be in another database', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'tollgate-import-'))
    const file = join(DATA_DIR, 'old.db')
    const { logs: _none, ...others } = oneApiOfDailyUse(upstream.url)
    makeOldGateway(file, others)
    const { output } = await importing({ DATA_DIR }, file)
    expect(output).toContain(
      'log: there are no rows; if the old gateway had LOG_SQL_DSN, start again in an empty database with --logs and its value',
    )
    await rm(DATA_DIR, { recursive: true })
  })

  it('refuses a variant whose channel types have other numbers', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'tollgate-import-'))
    const file = join(DATA_DIR, 'one-hub.db')
    makeOldGateway(file, { ...oneApiOfDailyUse(upstream.url), prices: [{ model: 'a' }] })
    const { code, output } = await importing({ DATA_DIR }, file)
    expect(output).toContain('the source is of a variant of one-api (it has a table prices)')
    expect(code).toBe(1)
    await rm(DATA_DIR, { recursive: true })
  })
})
