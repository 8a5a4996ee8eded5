// What passes between the gateway and an upstream beside the answer: blame, headers, bodies left alone.
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  errorRows,
  relayRoom,
  sendJson,
  setPrice,
  setPrices,
  writeEvents,
} from '#test'

const room = relayRoom({
  env: { SSRF_ALLOW: '127.0.0.0/8' },
  priced: ['m'],
  customer: 'reader',
})

beforeAll(async () => {
  await room.app.root.put('/api/option/', {
    key: 'AutomaticDisableChannelEnabled',
    value: 'true',
  })
})

function post(path: string, body: object, headers: Record<string, string> = {}) {
  return room.post(path, body, headers)
}

const chat = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] }
const chunk = (delta: object) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null }],
})

it('switches a channel off whose money ended in the middle of a stream, and logs the failure', async () => {
  const id = await addChannel(room.app.root, { base_url: room.upstream.url, models: 'm' })
  room.upstream.behave((response) => {
    const error = {
      message: 'Nothing left.',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    }
    writeEvents(response, [chunk({ content: 'Hello' }), { error }])
    response.end()
  })
  const text = await (await post('/v1/chat/completions', chat)).text()
  expect(text).toContain('Nothing left.')
  await expect
    .poll(async () => (await room.app.root.get<{ status: number }>(`/api/channel/${id}`)).status)
    .toBe(3)
  await expect
    .poll(() => errorRows(room.app.root, room.customer.username))
    .toMatchObject([{ content: expect.stringContaining('Nothing left.') as string }])
})

it('hands the headers of their dialect on to upstreams that speak it, and to no others', async () => {
  await addChannel(room.app.root, { base_url: room.upstream.url, models: 'm,e' })
  await addChannel(room.app.root, { base_url: room.upstream.url, models: 'claude', type: 14 })
  await setPrices(room.app.root, ['e', 'claude'], 1)
  const headers = { 'idempotency-key': 'once', 'openai-beta': 'x=v1' }
  room.upstream.behave((response) => sendJson(response, { error: { message: 'no' } }, 400))
  const sent = async (path: string, body: object) => {
    await post(path, body, headers)
    const { 'idempotency-key': key, 'openai-beta': beta } =
      room.upstream.calls.at(-1)?.headers ?? {}
    return { key, beta }
  }
  const all = { key: expect.stringMatching(/^[0-9a-f]{64}$/) as string, beta: 'x=v1' }
  expect(await sent('/v1/chat/completions', { ...chat, stream: false })).toEqual(all)
  expect(await sent('/v1/embeddings', { model: 'e', input: 'Hi' })).toEqual(all)
  expect(await sent('/v1/completions', { model: 'm', prompt: 'Hi' })).toEqual(all)
  expect(await sent('/v1/chat/completions', { ...chat, model: 'claude' })).toEqual({})
})

it('names a call to its upstream as its customer does, but no two customers’ alike', async () => {
  await addChannel(room.app.root, { base_url: room.upstream.url, models: 'm' })
  room.upstream.behave((response) => sendJson(response, { error: { message: 'no' } }, 400))
  const other = await addCustomer(room.app.root, 'namesake', 1_000_000)
  const named = async (key: string, name: string) => {
    await fetch(`${room.app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': name,
      },
      body: JSON.stringify({ ...chat, stream: false }),
    })
    return room.upstream.calls.at(-1)?.headers['idempotency-key']
  }
  const own = await named(room.customer.key, 'call-1')
  expect(await named(room.customer.key, 'call-1')).toBe(own)
  expect(await named(room.customer.key, 'call-2')).not.toBe(own)
  expect(await named(other.key, 'call-1')).not.toBe(own)
})

it('tells a client of the upstream’s headers no more than the time it took', async () => {
  room.upstream.behave((response) => {
    response.setHeader('openai-processing-ms', '17')
    response.setHeader('openai-organization', 'org-of-ours')
    const message = { role: 'assistant', content: 'Hi' }
    sendJson(response, { id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] })
  })
  const { headers } = await post('/v1/chat/completions', { ...chat, stream: false })
  expect(headers.get('openai-processing-ms')).toBe('17')
  expect(headers.get('openai-organization')).toBeNull()
})

it('leaves plain bodies as they came where the admin wants that', async () => {
  const channel = {
    base_url: room.upstream.url,
    models: 'untouched',
    param_override: '{"user":"us","operations":[{"mode":"delete","path":"unwanted"}]}',
  }
  await addChannel(room.app.root, channel)
  await setPrice(room.app.root, 'untouched', 1)
  room.upstream.behave((response) => sendJson(response, { error: { message: 'no' } }, 400))
  const body = { model: 'untouched', input: 'Hi' }
  await post('/v1/embeddings', { ...body, unwanted: 1 })
  expect(room.upstream.calls.at(-1)?.body).toEqual({ ...body, user: 'us' })
  const passAll = (value: string) =>
    room.app.root.put('/api/option/', { key: 'global.pass_through_request_enabled', value })
  await passAll('true')
  await post('/v1/embeddings', body)
  expect(room.upstream.calls.at(-1)?.body).toEqual(body)
  await passAll('false')
})

it('leaves chats as they came where the setting of the channel says so', async () => {
  const channel = {
    base_url: room.upstream.url,
    models: 'as-sent',
    param_override: '{"user":"us"}',
    setting: '{"pass_through_body_enabled":true}',
  }
  await addChannel(room.app.root, channel)
  await setPrice(room.app.root, 'as-sent', 1)
  const body = { model: 'as-sent', messages: chat.messages, odd: { kept: true } }
  await post('/v1/chat/completions', body)
  expect(room.upstream.calls.at(-1)?.body).toEqual(body)
  const blocks = { model: 'as-sent', max_tokens: 9, messages: chat.messages }
  await post('/v1/messages', blocks)
  expect(room.upstream.calls.at(-1)?.body).toMatchObject({ user: 'us' })
})

it('puts the instructions of the channel into chats of every dialect', async () => {
  const prompt = 'Be brief.'
  const setting = JSON.stringify({ system_prompt: prompt, system_prompt_override: true })
  await addChannel(room.app.root, { base_url: room.upstream.url, models: 'briefed', setting })
  await setPrice(room.app.root, 'briefed', 1)
  const body = { model: 'briefed', max_tokens: 9, messages: chat.messages }
  const sent = () => room.upstream.calls.at(-1)?.body
  const system = { role: 'system', content: prompt }
  await post('/v1/chat/completions', body)
  expect(sent()).toMatchObject({ messages: [system, ...chat.messages] })
  await post('/v1/messages', { ...body, system: 'Rhyme.' })
  expect(JSON.stringify(sent())).toMatch(/Be brief\..*Rhyme\./)
  await post('/v1/embeddings', { model: 'briefed', input: 'Hi' })
  expect(sent()).toEqual({ model: 'briefed', input: 'Hi' })
})

it('reads answers, streams and errors that the upstream packed unasked', async () => {
  await addChannel(room.app.root, { base_url: room.upstream.url, models: 'packed' })
  await setPrice(room.app.root, 'packed', 1)
  const packed = (status: number, type: string, text: string) =>
    room.upstream.behave((response) => {
      response.writeHead(status, { 'content-type': type, 'content-encoding': 'gzip' })
      response.end(gzipSync(text))
    })
  const asked = async (stream: boolean) => {
    const response = await post('/v1/chat/completions', { ...chat, model: 'packed', stream })
    expect(response.headers.get('content-encoding')).toBeNull()
    return response.text()
  }
  const message = { role: 'assistant', content: 'Hello' }
  const whole = { id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] }
  packed(200, 'application/json', JSON.stringify(whole))
  expect(await asked(false)).toContain('"Hello"')
  const end = { ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
  const events = [chunk({ content: 'Hello' }), end].map((data) => JSON.stringify(data))
  packed(200, 'text/event-stream', events.map((data) => `data: ${data}\n\n`).join(''))
  expect(await asked(true)).toContain('"Hello"')
  packed(400, 'application/json', '{"error":{"message":"Too hot.","code":"too_hot"}}')
  expect(await asked(false)).toContain('Too hot.')
})

it('sends a document that an Anthropic client names by its address to a chat upstream', async () => {
  await addChannel(room.app.root, { base_url: room.upstream.url, models: 'reads', type: 43 })
  await setPrice(room.app.root, 'reads', 1)
  room.upstream.behave((response, { path }) => {
    if (path !== '/paper.pdf') return sendJson(response, { error: { message: 'no' } }, 400)
    response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF')
  })
  const source = { type: 'url', url: `${room.upstream.url}/paper.pdf` }
  const content = [{ type: 'document', source }]
  await post('/v1/messages', {
    model: 'reads',
    max_tokens: 9,
    messages: [{ role: 'user', content }],
  })
  const file_data = `data:application/pdf;base64,${Buffer.from('%PDF').toString('base64')}`
  expect(room.upstream.calls.at(-1)?.body).toMatchObject({
    messages: [{ content: [{ type: 'file', file: { filename: 'paper.pdf', file_data } }] }],
  })
})
