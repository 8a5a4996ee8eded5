// Answers from a plugin's response cache, through a whole gateway: test/samples/answer-store keeps them in memory.
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#core'
import { addCustomer, balanceOf, relayRoom, sendJson, writeEvents, type Customer } from '#test'
import { echo } from '../../../test/harness/upstreams/echo-upstream.ts'

const samples = fileURLToPath(new URL('../../../test/samples', import.meta.url))
const plain = ['m-user', 'm-token', 'm-everyone', 'm-broken', 'm-plain']
const models = [...plain, 'm-marked-user', 'm-refused-user']

const room = relayRoom({
  env: { PLUGIN_DIRS: samples },
  plugins: ['answer-store', 'event-marks'],
  channels: [{ models: models.join() }],
  priced: models,
  customer: 'asker',
  isAnew: true,
})

beforeEach(() => {
  room.upstream.calls.length = 0
  room.upstream.behave(echo({ isPlain: true }))
})

let number = 0
/** A question that nobody has asked. */
const fresh = () => `Say this, number ${(number += 1)}`
const chat = (model: string, content: string, more: JsonObject = {}) => ({
  model,
  messages: [{ role: 'user', content }],
  ...more,
})

async function kept(): Promise<number> {
  return (await room.app.root.get<{ kept: string[] }>('/api/answer-store')).kept.length
}

/** Asks, and waits until the answer is kept. */
async function ask(path: string, body: JsonObject): Promise<Response> {
  const before = await kept()
  const response = await room.post(path, body)
  await response.clone().text()
  await expect.poll(kept).toBe(before + 1)
  return response
}

async function said(response: Response): Promise<string> {
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
  return choices[0]?.message.content ?? ''
}

function pieces(stream: string): string {
  const events = stream.split('\n\n').filter((event) => event.startsWith('data: {'))
  return events
    .map((event) => JSON.parse(event.slice(6)) as { choices: { delta: { content?: string } }[] })
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('')
}

const as = ({ key }: Customer) => ({ authorization: `Bearer ${key}` })

describe('a question that was answered before', () => {
  it('is answered again without an upstream, at the share of the price that the cache states', async () => {
    const question = fresh()
    const first = await room.post('/v1/chat/completions', chat('m-user', question))
    expect(first.headers.get('x-response-cache')).toBe('miss')
    expect(await said(first)).toBe(question)
    expect(await room.lastRow()).toMatchObject({ quota: 100 })
    const again = await room.post('/v1/chat/completions', chat('m-user', question))
    expect(again.headers.get('x-response-cache')).toBe('hit')
    expect(await said(again)).toBe(question)
    expect(room.upstream.calls).toHaveLength(1)
    const row = await room.lastRow()
    expect(row).toMatchObject({ quota: 25, prompt_tokens: 40, completion_tokens: 60, channel: 0 })
    expect(JSON.parse(row.other)).toMatchObject({
      end: 'cached',
      response_cache: { id: 'answer-store/user', share: 0.25 },
      receipt: {
        lines: [
          { part: 'input', count: 40, unit_price: '0.25', amount: '10' },
          { part: 'output', count: 60, unit_price: '0.25', amount: '15' },
        ],
        total: 25,
      },
    })
    expect(await balanceOf(room.customer)).toBe(10_000_000 - 125)
  })

  it('is replayed as a stream after it came whole, and the other way round', async () => {
    const [first, second] = [fresh(), fresh()]
    await ask('/v1/chat/completions', chat('m-user', first))
    const options = { stream: true, stream_options: { include_usage: true } }
    const streamed = await room.post('/v1/chat/completions', chat('m-user', first, options))
    expect(streamed.headers.get('content-type')).toContain('text/event-stream')
    const text = await streamed.text()
    expect(pieces(text)).toBe(first)
    expect(text).toContain('"total_tokens":100')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    await ask('/v1/chat/completions', chat('m-user', second, { stream: true }))
    expect(await said(await room.post('/v1/chat/completions', chat('m-user', second)))).toBe(second)
    expect(room.upstream.calls).toHaveLength(2)
  })

  it.each([
    ['/v1/messages', (text: string) => ({ ...chat('m-user', text), max_tokens: 100 })],
    ['/v1/responses', (text: string) => ({ model: 'm-user', input: text, store: false })],
    [
      '/v1beta/models/m-user:generateContent',
      (text: string) => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
    ],
  ])('is answered again at %s', async (path, bodyOf) => {
    const question = fresh()
    await ask(path, bodyOf(question))
    const again = await room.post(path, bodyOf(question))
    expect(again.headers.get('x-response-cache')).toBe('hit')
    expect(await again.text()).toContain(question)
    expect(room.upstream.calls).toHaveLength(1)
  })

  it('is streamed again through the hooks of its events, which see it each time', async () => {
    const question = chat('m-marked-user', fresh())
    await ask('/v1/chat/completions', question)
    for (const time of ['once', 'twice']) {
      const again = await room.post('/v1/chat/completions', { ...question, stream: true })
      expect([time, again.headers.get('x-response-cache')]).toEqual([time, 'hit'])
      const events = (await again.text()).match(/^data: \{.*\}$/gm) ?? []
      expect(events.length).toBeGreaterThan(1)
      for (const event of events) expect(event).toContain('"mark":"ba"')
    }
  })

  it('costs nothing when a hook of its events refuses it', async () => {
    const question = chat('m-refused-user', `A secret: ${fresh()}`)
    await ask('/v1/chat/completions', question)
    const before = await balanceOf(room.customer)
    const refused = await room.post('/v1/chat/completions', { ...question, stream: true })
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('No more of this answer.')
    expect(await balanceOf(room.customer)).toBe(before)
  })

  it('is answered again where it is no chat', async () => {
    const answer = {
      object: 'list',
      data: [{ index: 0, embedding: [1, 2] }],
      usage: { prompt_tokens: 4, total_tokens: 4 },
    }
    room.upstream.behave((response) => sendJson(response, answer))
    const body = { model: 'm-user', input: fresh() }
    await ask('/v1/embeddings', body)
    const again = await room.post('/v1/embeddings', body)
    expect(await again.json()).toEqual(answer)
    expect(room.upstream.calls).toHaveLength(1)
    expect(await room.lastRow()).toMatchObject({ quota: 1, prompt_tokens: 4 })
  })

  it('costs nothing where the share is none, and is refused where the balance does not reserve it', async () => {
    const question = fresh()
    await ask('/v1/chat/completions', chat('m-token', question))
    await room.post('/v1/chat/completions', chat('m-token', question))
    expect(await room.lastRow()).toMatchObject({ quota: 0 })
    await room.app.root.put('/api/user/', { id: room.customer.id, quota: 0 })
    const poor = await room.post('/v1/chat/completions', chat('m-token', question))
    expect(poor.status).toBe(403)
  })
})

describe('an answer is given to nobody else', () => {
  it('than its user, when the cache is one of users', async () => {
    const question = fresh()
    await ask('/v1/chat/completions', chat('m-user', question))
    const other = await addCustomer(room.app.root, `other-${number}`, 1_000_000)
    const asked = await room.post('/v1/chat/completions', chat('m-user', question), as(other))
    expect(asked.headers.get('x-response-cache')).toBe('miss')
    expect(room.upstream.calls).toHaveLength(2)
  })

  it('than its token, when the cache is one of tokens', async () => {
    const question = fresh()
    await ask('/v1/chat/completions', chat('m-token', question))
    const second = await room.customer.client.post<{ key: string }>('/api/token/', {
      name: 'second',
      unlimited_quota: true,
      expired_time: -1,
    })
    await room.post('/v1/chat/completions', chat('m-token', question), {
      authorization: `Bearer sk-${second.key}`,
    })
    expect(room.upstream.calls).toHaveLength(2)
    await room.post('/v1/chat/completions', chat('m-token', question))
    expect(room.upstream.calls).toHaveLength(2)
  })

  it('than its user, unless the cache says so and the operator allows it', async () => {
    const question = fresh()
    const other = await addCustomer(room.app.root, `sharing-${number}`, 1_000_000)
    await ask('/v1/chat/completions', chat('m-everyone', question))
    await room.post('/v1/chat/completions', chat('m-everyone', question), as(other))
    expect(room.upstream.calls).toHaveLength(2)
    await room.app.root.put('/api/option/', { key: 'ResponseCacheSharing', value: 'true' })
    const shared = fresh()
    await ask('/v1/chat/completions', chat('m-everyone', shared))
    const given = await room.post('/v1/chat/completions', chat('m-everyone', shared), as(other))
    expect(given.headers.get('x-response-cache')).toBe('hit')
    await room.app.root.put('/api/option/', { key: 'ResponseCacheSharing', value: 'false' })
    const after = await room.post('/v1/chat/completions', chat('m-everyone', shared), as(other))
    expect(after.headers.get('x-response-cache')).toBe('miss')
  })

  it('than who asks the same in every field that counts', async () => {
    const question = fresh()
    await ask('/v1/chat/completions', chat('m-user', question, { temperature: 0, top_p: 1 }))
    const hit = async (body: JsonObject) =>
      (await room.post('/v1/chat/completions', body)).headers.get('x-response-cache')
    expect(await hit(chat('m-user', question, { top_p: 1, temperature: 0 }))).toBe('hit')
    expect(await hit(chat('m-user', question, { temperature: 0.1, top_p: 1 }))).toBe('miss')
    expect(await hit(chat('m-user', `${question} `, { temperature: 0, top_p: 1 }))).toBe('miss')
  })

  it('than who asks for the same version of an API, which may be that of the model', async () => {
    const question = chat('m-user', fresh())
    const path = '/v1/chat/completions?api-version='
    await ask(`${path}v1.1`, question)
    const mark = async (version: string) =>
      (await room.post(path + version, question)).headers.get('x-response-cache')
    expect(await mark('v1.1')).toBe('hit')
    expect(await mark('v4.0')).toBe('miss')
  })
})

describe('nothing is kept', () => {
  let marked: string | null
  const asked = async (body: JsonObject, path = '/v1/chat/completions') => {
    const before = await kept()
    const answer = await room.post(path, body)
    marked = answer.headers.get('x-response-cache')
    await answer.text().catch(() => '')
    // What would be kept is kept before the next answer is.
    await ask('/v1/chat/completions', chat('m-user', fresh()))
    return (await kept()) - before - 1
  }

  it('of an answer that broke off', async () => {
    room.upstream.behave(async (response, call) => {
      if (!call.sent.includes('break')) return echo({ isPlain: true })(response, call)
      const head = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm' }
      writeEvents(response, [{ ...head, choices: [{ index: 0, delta: { content: 'So' } }] }])
      response.end()
    })
    expect(await asked(chat('m-user', 'break', { stream: true }))).toBe(0)
  })

  it('of a failure, of an answer that a filter ended, or of one that is too long', async () => {
    room.upstream.behave((response, call) => {
      if (call.sent.includes('fail')) return sendJson(response, { error: { message: 'No' } }, 400)
      if (!call.sent.includes('filter')) return echo({ isPlain: true })(response, call)
      const message = { role: 'assistant', content: 'So' }
      const choices = [{ index: 0, message, finish_reason: 'content_filter' }]
      sendJson(response, { id: 'a', object: 'chat.completion', created: 1, model: 'm', choices })
    })
    for (const text of ['fail', 'filter', 'long '.repeat(500)])
      expect(await asked(chat('m-user', text))).toBe(0)
  })

  it('of a response that its upstream stores, and of calls that no cache wants', async () => {
    expect(await asked({ model: 'm-user', input: fresh() }, '/v1/responses')).toBe(0)
    expect(marked).toBe(null)
    expect(await asked(chat('m-plain', fresh()))).toBe(0)
    expect(marked).toBe(null)
  })
})

describe('a cache that does wrong', () => {
  it.each([false, true])('is passed over when it throws or hangs, stream %s', async (stream) => {
    const response = await room.post('/v1/chat/completions', chat('m-broken', 'Hi', { stream }))
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(stream ? '[DONE]' : 'Hi')
  })

  it.each(['shape', 'events', 'mixed'])(
    'is passed over when what it gives is no answer to the question: %s',
    async (how) => {
      await ask('/v1/chat/completions', chat('m-user', fresh()))
      const question = fresh()
      await ask('/v1/chat/completions', chat('m-user', question))
      await room.app.root.post(`/api/answer-store/spoil?how=${how}`, {})
      const again = await room.post('/v1/chat/completions', chat('m-user', question))
      expect(await said(again)).toBe(question)
      expect(room.upstream.calls).toHaveLength(3)
      const row = await room.lastRow()
      expect(row).toMatchObject({ quota: 100 })
    },
  )
})
