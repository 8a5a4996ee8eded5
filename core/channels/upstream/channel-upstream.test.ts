import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { defineAdapter } from '../../contract/adapter.ts'
import type { AppError } from '../../contract/errors.ts'
import type { HttpClient, HttpOptions, UpstreamRequest } from '../../contract/http-client.ts'
import type { Usage } from '../../contract/neutral.ts'
import { createCoreServices, type CoreServices } from '../../../test/harness/core-services.ts'
import { databaseKinds } from '../../../test/harness/databases.ts'
import {
  channelInput,
  demanding,
  plain,
  startChannels,
  type Setup,
} from '../../../test/harness/channels.ts'
import type { Channels } from '../channels.ts'
import type { ProbeResult, TestCall } from './channel-probe.ts'

const actor = { id: 1, username: 'root', role: 100 }
const usage = { input: 8, output: 4 } as Usage
const works = async (): Promise<ProbeResult> => ({ usage })
const deadKey = async (): Promise<ProbeResult> => ({
  error: { message: 'HTTP 401: no such key', failureClass: 'invalid-credentials' },
})
const everyOperation = defineAdapter({
  ...plain,
  id: 'every',
  operations: {
    ...plain.operations,
    embeddings: { endpoint: () => ({ url: '', headers: {} }) },
    rerank: { endpoint: () => ({ url: '', headers: {} }) },
  },
})

let services: CoreServices
let channels: Channels

beforeAll(async () => {
  services = await createCoreServices(databaseKinds[0]!)
})
afterAll(() => services.close())
afterEach(async () => {
  await channels.close()
  for (const table of ['channels', 'logs']) {
    await services.database.run(`DELETE FROM ${table}`)
  }
})

async function start(setup: Setup): Promise<void> {
  channels = await startChannels(services, setup)
}

async function add(fields: object = {}): Promise<number> {
  const [id = 0] = await channels.create({ ...channelInput, ...fields })
  return id
}

/** All calls that the tests of one run sent. */
function recordingProbe(answer: () => Promise<ProbeResult> = works) {
  const calls: TestCall[] = []
  return {
    calls,
    test: (_channel: unknown, call: TestCall) => {
      calls.push(call)
      return answer()
    },
  }
}

/** Starts the run over all channels and waits until it says that it is done. */
async function testAll(): Promise<unknown> {
  const done = new Promise((resolve) => {
    const stop = services.events.on('channels.tested', (counts) => {
      stop()
      resolve(counts)
    })
  })
  await channels.testAll(actor)
  return done
}

describe('testing a channel', () => {
  it.each([
    { model: 'gpt-4o', limit: { max_tokens: 10 } },
    { model: 'o3-mini', limit: { max_completion_tokens: 64 } },
    { model: 'gpt-5', limit: { max_completion_tokens: 64 } },
    { model: 'gemini-2.5-pro', limit: { max_tokens: 300 } },
    { model: 'qwen-thinking', limit: { max_tokens: 50 } },
    { model: 'claude-x-thinking', limit: {} },
  ])('asks $model for a short answer', async ({ model, limit }) => {
    const probe = recordingProbe()
    await start({ probe })
    await channels.test(await add(), model, actor)
    expect(probe.calls).toEqual([
      {
        operation: 'chat',
        requestedModel: model,
        upstreamModel: model,
        body: { model, messages: [{ role: 'user', content: 'hi' }], stream: false, ...limit },
        language: 'en',
      },
    ])
  })

  it.each([
    { model: 'text-embedding-3-small', operation: 'embeddings' },
    { model: 'BGE-m3', operation: 'embeddings' },
    { model: 'bge-reranker-v2', operation: 'rerank' },
    { model: 'mapped', operation: 'embeddings' },
  ])('sends $model an $operation call, by its mapped name', async ({ model, operation }) => {
    const probe = recordingProbe()
    await start({ probe, adapters: [everyOperation] })
    await channels.test(await add({ model_mapping: '{"mapped":"m3e-base"}' }), model, actor)
    expect(probe.calls).toMatchObject([{ operation, requestedModel: model }])
  })

  it.each([
    { fields: { test_model: 'chosen' }, asked: undefined, model: 'chosen' },
    { fields: { test_model: 'chosen' }, asked: 'named', model: 'named' },
    { fields: {}, asked: ' ', model: 'm' },
  ])('takes the model $model', async ({ fields, asked, model }) => {
    const probe = recordingProbe()
    await start({ probe })
    await channels.test(await add(fields), asked, actor)
    expect(probe.calls[0]?.upstreamModel).toBe(model)
  })

  it('records the time and a log row that charges nobody', async () => {
    await start({ probe: recordingProbe() })
    const id = await add()
    const outcome = await channels.test(id, undefined, actor)
    expect(outcome.error).toBeUndefined()
    const row = await channels.find(id)
    expect(row.test_time).toBeGreaterThan(0)
    expect(row.test_fault).toBe('')
    const rows = () =>
      services.database.select(
        'SELECT type, user_id, content, token_name, quota, prompt_tokens, channel_id FROM logs',
      )
    await expect.poll(rows).toEqual([
      {
        type: 2,
        user_id: 1,
        content: 'channel test',
        token_name: 'channel test',
        quota: 12,
        prompt_tokens: 8,
        channel_id: id,
      },
    ])
    expect((await channels.find(id)).used_quota).toBe(0)
  })

  it('tells a failure and its consequence but changes no status', async () => {
    await start({ probe: recordingProbe(deadKey) })
    const id = await add()
    const outcome = await channels.test(id, undefined, actor)
    expect(outcome.error).toEqual({ message: 'HTTP 401: no such key', disables: true })
    expect(await channels.find(id)).toMatchObject({
      status: 1,
      test_time: expect.any(Number),
      test_fault: 'HTTP 401: no such key',
    })
  })

  it('says what is wrong with the channel itself in the language of the caller', async () => {
    await start({ probe: recordingProbe() })
    const looped = await add({ model_mapping: '{"m":"n","n":"m"}' })
    // As a database may hold it that was imported.
    const broken = await add()
    const change = "UPDATE channels SET setting = 'no JSON' WHERE id = :broken"
    await services.database.run(change, { broken })
    await channels.reload()
    const said = async (id: number) =>
      (await channels.test(id, undefined, actor, 'zh')).error?.message
    expect(await said(looped)).toBe('渠道的模型映射形成了循环。')
    expect(await said(broken)).toBe('渠道的 setting 不是 JSON 对象。')
  })

  it('sends nothing for a type or a model that cannot be tested', async () => {
    const probe = recordingProbe()
    await start({ probe })
    const fields = { type: 41, base_url: 'https://d.example', other: 'eu' }
    const ids = [await add(fields), await add({ models: 'dall-e-3' })]
    for (const id of ids) {
      await expect(channels.test(id, undefined, actor)).rejects.toMatchObject({
        code: 'channel.test_unsupported',
      })
    }
    await expect(channels.test(12345, undefined, actor)).rejects.toMatchObject({
      code: 'channel.not_found',
    })
    expect(probe.calls).toEqual([])
  })
})

describe('the test of all channels', () => {
  it('disables what fails for good and enables what is back, but nothing disabled by hand', async () => {
    const broken = new Set<number>()
    await start({ probe: { test: (channel) => (broken.has(channel.id) ? deadKey() : works()) } })
    const [dies, stays, returns, byHand] = [await add(), await add(), await add(), await add()]
    broken.add(dies)
    await channels.setAutomatic(returns, 3, 'was broken')
    await channels.update({ id: byHand, status: 2 })
    expect(await testAll()).toEqual({ tested: 4, failed: 1 })
    const statuses = await Promise.all(
      [dies, stays, returns, byHand].map(async (id) => (await channels.find(id)).status),
    )
    expect(statuses).toEqual([3, 1, 1, 2])
  })

  it.each([
    { isOn: true, auto_ban: 1, status: 3 },
    { isOn: true, auto_ban: 0, status: 1 },
    { isOn: false, auto_ban: 1, status: 1 },
  ])('gives a slow channel status $status (switch $isOn, auto_ban $auto_ban)', async (row) => {
    // Below zero, every answer is too slow.
    await start({
      probe: recordingProbe(),
      options: { AutomaticDisableChannelEnabled: row.isOn, ChannelDisableThreshold: -1 },
    })
    const id = await add({ auto_ban: row.auto_ban })
    await testAll()
    expect((await channels.find(id)).status).toBe(row.status)
  })

  it('ends with the process, and judges nobody by a test that was cut off', async () => {
    await start({
      options: { ChannelDisableThreshold: -1 },
      probe: {
        test: (_channel, _call, signal) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve({ error: { message: 'cut off' } }))
          }),
      },
    })
    const id = await add()
    await channels.testAll(actor)
    await channels.close()
    expect((await channels.find(id)).status).toBe(1)
  })

  it('runs once at a time', async () => {
    let finish: (result: ProbeResult) => void = () => undefined
    const pending = new Promise<ProbeResult>((resolve) => (finish = resolve))
    await start({ probe: recordingProbe(() => pending) })
    await add()
    const first = testAll()
    await expect(channels.testAll(actor)).rejects.toMatchObject({ code: 'channel.test_running' })
    finish({ usage })
    expect(await first).toEqual({ tested: 1, failed: 0 })
  })
})

describe('balances', () => {
  const rich = (dollars: number) =>
    defineAdapter({ ...plain, id: 'rich', fetchBalance: async () => dollars })

  it('stores what the upstream says', async () => {
    await start({ adapters: [rich(12.5)] })
    const id = await add()
    expect(await channels.updateBalance(id)).toBe(12.5)
    expect(await channels.find(id)).toMatchObject({
      balance: 12.5,
      balance_updated_time: expect.any(Number),
    })
  })

  it('says so when the type has none, and hides the key in a failure', async () => {
    const failing = defineAdapter({
      ...demanding,
      id: 'failing',
      fetchBalance: async ({ key }) => {
        throw new Error(`no account for ${key}`)
      },
    })
    await start({ adapters: [plain, failing] })
    await expect(channels.updateBalance(await add())).rejects.toMatchObject({
      code: 'channel.balance_unsupported',
    })
    const id = await add({ type: 41, base_url: 'https://d.example', other: 'eu' })
    await expect(channels.updateBalance(id)).rejects.toMatchObject({
      code: 'channel.call_failed',
      values: { reason: 'no account for ***' },
    })
    expect((await channels.find(id)).balance_updated_time).toBe(0)
  })

  it('adds up the keys of a channel with several, and disables it when all are empty', async () => {
    const left = new Map<string, number>()
    const byKey = defineAdapter({
      ...plain,
      id: 'by-key',
      fetchBalance: async ({ key }) => {
        const dollars = left.get(key)
        if (dollars === undefined) throw new Error('no account')
        return dollars
      },
    })
    await start({ adapters: [byKey] })
    const id = await add({ key: 'sk-one\nsk-two\nsk-three', setting: '{"multi_key":true}' })
    left.set('sk-one', 0).set('sk-two', 5)
    await channels.updateAllBalances()
    await expect.poll(async () => (await channels.find(id)).balance).toBe(5)
    expect((await channels.find(id)).status).toBe(1)
    left.set('sk-two', 0)
    await expect(channels.updateBalance(id)).rejects.toMatchObject({ code: 'channel.call_failed' })
    left.set('sk-three', 0)
    expect(await channels.updateBalance(id)).toBe(0)
    await channels.updateAllBalances()
    await expect.poll(async () => (await channels.find(id)).status).toBe(3)
  })

  it('disables an empty channel in the run over all, unless it may not be disabled', async () => {
    await start({ adapters: [rich(0)] })
    const [may, mayNot] = [await add(), await add({ auto_ban: 0 })]
    await channels.updateAllBalances()
    await expect.poll(async () => (await channels.find(may)).status).toBe(3)
    await channels.close()
    expect((await channels.find(mayNot)).status).toBe(1)
  })
})

describe('fetching models', () => {
  const upstream = (answer: unknown, status = 200) => {
    const requests: UpstreamRequest[] = []
    const options: (HttpOptions | undefined)[] = []
    const json: HttpClient['json'] = async (request, given) => {
      requests.push(request)
      options.push(given)
      return { status, headers: {}, body: answer }
    }
    return { requests, options, http: { json } }
  }
  const list = { data: [{ id: 'a' }, { id: 'b' }, { id: 'a' }, { name: 'no id' }] }

  it('asks a stored channel in the OpenAI way when its adapter has none of its own', async () => {
    const { requests, http } = upstream(list)
    await start({ http })
    expect(await channels.fetchModels({ id: await add() })).toEqual(['a', 'b'])
    expect(requests).toMatchObject([
      {
        url: 'https://plain.example/v1/models',
        headers: { authorization: `Bearer ${channelInput.key}` },
      },
    ])
  })

  it('asks for a channel that is not saved with the first line of its key', async () => {
    const { requests, http } = upstream(list)
    await start({ http })
    const target = { type: 1, base_url: 'https://own.example/', key: ' sk-a\nsk-b' }
    expect(await channels.fetchModels(target)).toEqual(['a', 'b'])
    expect(requests).toMatchObject([
      { url: 'https://own.example/v1/models', headers: { authorization: 'Bearer sk-a' } },
    ])
  })

  it('asks with the headers and the proxy of the form', async () => {
    const { options, http } = upstream(list)
    await start({ http })
    const setting = JSON.stringify({ headers: 'X-Client: us', proxy: 'http://proxy.example' })
    const target = { type: 1, base_url: 'https://own.example', key: 'sk-a' }
    await channels.fetchModels({ ...target, setting })
    expect(options).toMatchObject([
      {
        proxy: 'http://proxy.example',
        channelHeaders: { host: 'own.example', headers: { 'x-client': 'us' } },
      },
    ])
    await expect(
      channels.fetchModels({ ...target, setting: '{"headers":"no colon"}' }),
    ).rejects.toMatchObject({ code: 'channel.header_invalid', field: 'setting.headers' })
  })

  it.each([
    { answer: list, status: 401, target: {}, code: 'channel.call_failed' },
    { answer: 'nothing', status: 200, target: {}, code: 'channel.call_failed' },
    { answer: list, status: 200, target: { key: ' ' }, code: 'channel.field_missing' },
    { answer: list, status: 200, target: { type: 99 }, code: 'channel.type_unknown' },
  ])('refuses $target at status $status with $code', async ({ answer, status, target, code }) => {
    await start({ http: upstream(answer, status).http })
    const call = channels.fetchModels({ type: 1, base_url: '', key: 'sk-a', ...target })
    await expect(call).rejects.toMatchObject({ code })
  })

  it.each([
    { answer: '<html>', status: 502, en: 'HTTP 502', zh: 'HTTP 502' },
    { answer: '', status: 301, en: 'HTTP 301', zh: 'HTTP 301' },
    {
      answer: { error: { message: 'no such key' } },
      status: 401,
      en: 'HTTP 401: no such key',
      zh: 'HTTP 401: no such key',
    },
    {
      answer: { data: 'nothing' },
      status: 200,
      en: 'The answer does not hold what was asked for.',
      zh: '返回的内容不符合预期。',
    },
  ])('says why it failed in both languages ($en)', async ({ answer, status, en, zh }) => {
    await start({ http: upstream(answer, status).http })
    const call = channels.fetchModels({ type: 1, base_url: '', key: 'sk-a' })
    const refusal = await call.then(
      () => undefined,
      (error: unknown) => error as AppError,
    )
    expect(refusal?.messageIn('en')).toBe(`The upstream call failed: ${en}`)
    expect(refusal?.messageIn('zh')).toBe(`上游请求失败：${zh}`)
  })
})
