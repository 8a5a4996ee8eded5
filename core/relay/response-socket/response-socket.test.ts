// The Responses API over a WebSocket: the events of a response, turns that state only what is new, and what is refused.
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  balanceOf,
  relayRoom,
  setPrice,
  startApp,
  writeEvents,
} from '#test'
import {
  type Frame,
  FrameClient,
  refusalOf,
} from '../../../test/harness/counterparts/frame-clients.ts'

const room = relayRoom({
  channels: [{ models: 'native' }, { models: 'converted', type: 14 }],
  priced: ['native', 'converted'],
  customer: 'agent',
  env: { DRAIN_SECONDS: '0' },
})
const open: FrameClient[] = []

afterEach(() => {
  for (const client of open.splice(0)) client.socket.terminate()
})

async function connect(key = room.customer.key): Promise<FrameClient> {
  const client = new FrameClient(`${room.app.url}/v1/responses`, key)
  open.push(client)
  await once(client.socket, 'open')
  return client
}

const usage = { input_tokens: 7, output_tokens: 2, total_tokens: 9 }
let answers = 0

/** Both upstreams answer with a number of their own. */
function answering(hold?: Promise<unknown>): void {
  room.upstream.calls.length = 0
  room.upstream.behave(async (response, { path }) => {
    answers += 1
    const text = `answer ${answers}`
    await hold
    writeEvents(response, path.includes('messages') ? messageOf(text) : responseOf(text))
    response.end()
  })
}

function responseOf(text: string): Frame[] {
  const id = `resp_of_upstream_${answers}`
  const content = [{ type: 'output_text', text, annotations: [] }]
  const thought = { type: 'reasoning', id: 'rs_1', summary: [] }
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }
  const response = { id, object: 'response', model: 'native', status: 'completed', output: [] }
  const closed = { ...response, output: [thought, item], usage }
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: text },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: closed },
  ]
}

function messageOf(text: string): Frame[] {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'c', content: [] }
  const counts = { input_tokens: 7, output_tokens: 2 }
  return [
    { type: 'message_start', message: { ...message, usage: counts } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: counts },
    { type: 'message_stop' },
  ]
}

async function turn(client: FrameClient, body: Frame): Promise<string> {
  const before = client.frames.filter(({ type }) => type === 'response.completed').length
  client.send({ type: 'response.create', ...body })
  const { response } = await client.frame('response.completed', before + 1)
  return (response as { id: string }).id
}

function sentTexts(call: number): unknown[] {
  const body = room.upstream.calls[call]?.body ?? {}
  const items = (body['messages'] ?? body['input']) as { content: unknown }[]
  return items.flatMap(({ content }) =>
    typeof content === 'string' ? content : (content as { text: string }[]).map(({ text }) => text),
  )
}

describe.each(['native', 'converted'])('a response of a %s model over a WebSocket', (model) => {
  it('comes as its events, and is charged like any other', async () => {
    answering()
    const client = await connect()
    await turn(client, { model, input: 'Hi', store: false })
    const types = client.frames.map(({ type }) => type)
    expect(types[0]).toBe('response.created')
    expect(types).toContain('response.output_text.delta')
    expect(types.at(-1)).toBe('response.completed')
    expect(await room.lastRow()).toMatchObject({ model_name: model, quota: 9, is_stream: true })
  })

  it('goes on from the one before, of which only this connection knows', async () => {
    answering()
    const client = await connect()
    const first = await turn(client, { model, input: 'One', store: false })
    const input = [{ role: 'user', content: 'Two' }]
    const second = await turn(client, { model, input, store: false, previous_response_id: first })
    await turn(client, { model, input: 'Three', store: false, previous_response_id: second })
    expect(sentTexts(2)).toEqual([
      'One',
      `answer ${answers - 2}`,
      'Two',
      `answer ${answers - 1}`,
      'Three',
    ])
    expect(room.upstream.calls[2]?.body).not.toHaveProperty('previous_response_id')
  })

  it('may go on from items that were sent in advance', async () => {
    answering()
    const client = await connect()
    const before = await balanceOf(room.customer)
    const id = await turn(client, { model, input: 'Known', store: false, generate: false })
    expect(room.upstream.calls).toEqual([])
    expect(await balanceOf(room.customer)).toBe(before)
    await turn(client, { model, input: 'New', store: false, previous_response_id: id })
    expect(sentTexts(0)).toEqual(['Known', 'New'])
    expect(room.upstream.calls[0]?.body).not.toHaveProperty('generate')
  })
})

describe('a Responses socket', () => {
  it('leaves a response that the upstream keeps to the upstream', async () => {
    answering()
    const client = await connect()
    const id = await turn(client, { model: 'native', input: 'One' })
    await turn(client, { model: 'native', input: 'Two', previous_response_id: id })
    expect(room.upstream.calls[1]?.body).toMatchObject({ input: 'Two', previous_response_id: id })
  })

  it('goes on from no conversation whose beginning is kept elsewhere: the client is to send it', async () => {
    answering()
    const client = await connect()
    const kept = await turn(client, { model: 'converted', input: 'One' })
    const ask = { model: 'converted', store: false }
    const second = await turn(client, { ...ask, input: 'Two', previous_response_id: kept })
    expect(sentTexts(1)).toEqual(['One', `answer ${answers - 1}`, 'Two'])
    client.send({ type: 'response.create', ...ask, input: 'Three', previous_response_id: second })
    const error = { code: 'previous_response_not_found' }
    expect(await client.frame('error')).toMatchObject({ error })
    expect(room.upstream.calls).toHaveLength(2)
  })

  it('remembers a response that was cut, whatever place its type has in the event', async () => {
    const [made, , , done, closed] = responseOf('cut short')
    const cut = { ...(closed?.['response'] as { id: string }), status: 'incomplete' }
    room.upstream.behave((answer) => {
      writeEvents(answer, [made, done, { response: cut, type: 'response.incomplete' }])
      answer.end()
    })
    const client = await connect()
    const ask = { type: 'response.create', model: 'native', store: false }
    client.send({ ...ask, input: 'One' })
    await client.frame('response.incomplete')
    answering()
    await turn(client, { ...ask, input: 'Two', previous_response_id: cut.id })
    expect(sentTexts(0)).toEqual(['One', 'cut short', 'Two'])
  })

  it('answers the messages of one stream in turn, those of others beside them', async () => {
    const { promise: hold, resolve: release } = Promise.withResolvers<void>()
    answering(hold)
    const client = await connect()
    const ask = (stream_id: string) =>
      client.send({ type: 'response.create', model: 'native', input: stream_id, stream_id })
    for (const stream of ['a', 'a', 'b']) ask(stream)
    await expect.poll(() => room.upstream.calls.length).toBe(2)
    release()
    await client.frame('response.completed', 3)
    expect(room.upstream.calls.map(({ body }) => body['input'])).toEqual(['a', 'b', 'a'])
    const streams = client.frames.map(({ stream_id: stream }) => stream)
    expect(new Set(streams)).toEqual(new Set(['a', 'b']))
    expect(room.upstream.calls[0]?.body).not.toHaveProperty('stream_id')
  })

  it.each([
    { message: 'Hi', code: 'invalid_request' },
    { message: '[1]', code: 'invalid_request' },
    { message: '{"type":"response.create","stream_id":7}', param: 'stream_id' },
    { message: '{"type":"response.stop"}', code: 'unsupported_parameter', param: 'type' },
    { message: '{"type":"response.create","background":true}', param: 'background' },
    {
      message: '{"type":"response.create","model":"native","input":"Hi","previous_response_id":7}',
      code: 'invalid_request',
      param: 'previous_response_id',
    },
    {
      message: '{"type":"response.create","model":"native","input":{"role":"user"}}',
      code: 'invalid_request',
      param: 'input',
    },
    { message: '{"type":"response.create","input":"Hi"}', code: 'invalid_request', param: 'model' },
    { message: '{"type":"response.create","model":"none","input":"Hi"}', status: 404 },
    {
      message: `{"type":"response.create","model":"native","input":"Hi","previous_response_id":"resp_${'2'.repeat(23)}abcdefgh"}`,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    },
  ])('refuses $message by an event, and goes on', async ({ message, status = 400, ...error }) => {
    answering()
    const client = await connect()
    client.socket.send(message)
    expect(await client.frame('error')).toMatchObject({ status, error })
    expect(room.upstream.calls).toEqual([])
    await turn(client, { model: 'native', input: 'Hi' })
  })

  it('gives input back that is to steer an answer under way, which goes on', async () => {
    const { promise: held, resolve } = Promise.withResolvers<undefined>()
    answering(held)
    const client = await connect()
    const done = turn(client, { model: 'native', input: 'Hi' })
    const steer = { previous_response_id: 'resp_1', input: 'Shorter, please.' }
    client.send({ type: 'response.steer', ...steer })
    const error = { code: 'steering_not_supported', type: 'invalid_request_error' }
    expect(await client.frame('response.steer.failed')).toMatchObject({ steer, error })
    resolve(undefined)
    await done
    expect(client.frames.map(({ type }) => type)).not.toContain('error')
  })

  it('holds items that are sent in advance to the bounds of a body', async () => {
    const client = await connect()
    const input = JSON.parse('['.repeat(200) + ']'.repeat(200)) as unknown
    client.send({ type: 'response.create', model: 'native', input, generate: false })
    await expect.poll(() => client.frames.length).toBeGreaterThan(0)
    const error = { code: 'invalid_request', message: expect.stringContaining('128 levels deep') }
    expect(client.frames[0]).toMatchObject({ type: 'error', error })
  })

  it('gives an error within an answer the status that clients wait for', async () => {
    room.upstream.behave((response) => {
      const error = { type: 'error', code: 'server_error', message: 'Broken', param: null }
      writeEvents(response, [...responseOf('begun').slice(0, 3), error])
      response.end()
    })
    const client = await connect()
    client.send({ type: 'response.create', model: 'native', input: 'Hi' })
    const failed = { status: 500, error: { code: 'server_error' } }
    expect(await client.frame('error')).toMatchObject(failed)
    answering()
    client.send({ type: 'response.create', model: 'native', input: 'Hi again' })
    await client.frame('response.completed')
    expect(client.frames.map(({ type }) => type)).not.toContain('response.failed')
  })

  it('refuses bytes, and more messages than it lets wait', async () => {
    const { promise: hold, resolve: release } = Promise.withResolvers<void>()
    answering(hold)
    const client = await connect()
    client.socket.send(Buffer.from('{"type":"response.create"}'), { binary: true })
    expect(await client.frame('error')).toMatchObject({ error: { code: 'invalid_request' } })
    for (let count = 0; count < 9; count += 1)
      client.send({ type: 'response.create', model: 'native', input: 'Hi' })
    expect(await client.frame('error', 2)).toMatchObject({ status: 429 })
    release()
    await client.frame('response.completed', 8)
  })

  it('tells the refusal of an upstream, and when to come again', async () => {
    room.upstream.behave((response) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '7' })
      response.end(
        '{"error":{"message":"Slow down","type":"requests","code":"rate_limit_exceeded"}}',
      )
    })
    const client = await connect()
    client.send({ type: 'response.create', model: 'native', input: 'Hi', stream_id: 's' })
    expect(await client.frame('error')).toMatchObject({
      status: 429,
      stream_id: 's',
      error: { code: 'rate_limit_exceeded', headers: { 'retry-after': '7' } },
    })
  })

  it('stops reading upstream, and charges what came, when its client leaves', async () => {
    const left = Promise.withResolvers<void>()
    room.upstream.behave((response) => {
      response.on('close', () => left.resolve())
      writeEvents(response, responseOf('begun').slice(0, 3))
    })
    const client = await connect()
    client.send({ type: 'response.create', model: 'native', input: 'Hi' })
    await client.frame('response.output_text.delta')
    client.socket.terminate()
    await left.promise
    await expect.poll(async () => (await room.lastRow()).other).toContain('client_left_counted')
  })

  it('speaks for the address that opened it', async () => {
    answering()
    const limits = { allow_ips: '127.0.0.1' }
    const near = await addCustomer(room.app.root, 'near', 1_000, limits)
    await turn(await connect(near.key), { model: 'native', input: 'Hi' })
  })

  it('is served by the plugins of the moment, not by those of its beginning', async () => {
    answering()
    const { root } = room.app
    await root.call('PUT', '/api/option/', { key: 'SensitiveWords', value: 'forbidden' })
    const client = await connect()
    const ask = { type: 'response.create', model: 'native', input: 'forbidden' }
    client.send(ask)
    expect(await client.frame('error')).toMatchObject({ status: 400 })
    await root.switchPlugin('sensitive-words', false)
    client.send(ask)
    await client.frame('response.completed')
  })

  it('ends when the gateway stops, after the answer under way', async () => {
    const app = await startApp({ isWithin: true })
    const { key } = await addCustomer(app.root, 'last', 1_000)
    const client = new FrameClient(`${app.url}/v1/responses`, key)
    await once(client.socket, 'open')
    const [ended] = await Promise.all([client.closed, app.close()])
    expect(ended.code).toBe(1001)
  })

  it('does not keep a stop waiting for a client that has vanished', async () => {
    const app = await startApp({ isWithin: true, env: { SHUTDOWN_SECONDS: '600' } })
    const { key } = await addCustomer(app.root, 'vanished', 1_000)
    const client = new FrameClient(`${app.url}/v1/responses`, key)
    await once(client.socket, 'open')
    client.socket.pause()
    await app.close()
    client.socket.terminate()
  })

  it('tells of the stop in an answer that takes longer than the stop may', async () => {
    const app = await startApp({ isWithin: true, env: { SHUTDOWN_SECONDS: '1' } })
    await addChannel(app.root, { base_url: room.upstream.url, models: 'native' })
    await setPrice(app.root, 'native', 1)
    room.upstream.behave((response) => writeEvents(response, responseOf('begun').slice(0, 3)))
    const { key } = await addCustomer(app.root, 'cut', 1_000)
    const client = new FrameClient(`${app.url}/v1/responses`, key)
    await once(client.socket, 'open')
    for (const input of ['Hi', 'Next'])
      client.send({ type: 'response.create', model: 'native', input })
    await client.frame('response.output_text.delta')
    const [ended] = await Promise.all([client.closed, app.close()])
    expect(ended.code).toBe(1001)
    expect(client.frames.slice(-2)).toMatchObject([
      { type: 'error', error: { code: 'gateway_stopping' } },
      { type: 'error', error: { code: 'gateway_stopping' } },
    ])
  })

  it('is for those with a key, and for WebSockets', async () => {
    const refused = new FrameClient(`${room.app.url}/v1/responses`, 'sk-unknown')
    expect(await refusalOf(refused.socket)).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_api_key' } },
    })
    const headers = { authorization: `Bearer ${room.customer.key}` }
    const plain = await fetch(`${room.app.url}/v1/responses`, { headers })
    expect(plain.status).toBe(400)
  })

  it('ends with the key that opened it, within about a second', async () => {
    const banned = await addCustomer(room.app.root, 'banned', 1_000)
    const client = await connect(banned.key)
    await room.app.root.call('POST', '/api/user/manage', { id: banned.id, action: 'disable' })
    expect(await client.frame('error')).toMatchObject({ error: { code: 'user_disabled' } })
    expect(await client.closed).toEqual({ code: 1008, reason: 'user_disabled' })
  })
})
