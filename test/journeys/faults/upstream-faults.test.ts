// What an upstream may do to a call: what the client gets, what is billed, what is logged, and that the next call is served.
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { addChannel, balanceOf, consumptionRows, errorRows, setPrice } from '#test'
import { chunk, completion, lastChunks } from '../../harness/chat-chunks.ts'
import { relayRoom } from '../../harness/relay-room.ts'
import { flushed, sendJson, writeEvents } from '../../harness/scripted-upstream.ts'

const model = 'faulty'
const balance = 100_000_000
const usage = { prompt_tokens: 10, completion_tokens: 5 }
const EIGHT_MIB = 8 * 1_048_576
const room = relayRoom({
  channels: [{ models: model }],
  priced: [model],
  customer: 'caller',
  balance,
  isAnew: true,
  env: { STREAMING_TIMEOUT: '1', RELAY_TIMEOUT: '3' },
})

type Fault = (response: ServerResponse) => void | Promise<void>

const ask = (isStream: boolean, name = model) =>
  room.post('/v1/chat/completions', {
    model: name,
    stream: isStream,
    messages: [{ role: 'user', content: 'Hi' }],
  })

const failures = () => errorRows(room.app.root, room.customer.username)
const charges = () => consumptionRows(room.app.root, room.customer.username)

const page = '<html><body><h1>502 Bad Gateway</h1></body></html>'
const answers = (type: string, body: string | Buffer): Fault => {
  return (response) => {
    response.writeHead(200, { 'content-type': type })
    response.end(body)
  }
}
const noise = Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * 197 + 131) % 256))
const failure = { error: { message: 'The engine is down', type: 'server_error', code: 'engine' } }

/** Nothing of an answer came: an error with its status, and not a unit. */
const silent: { name: string; fault: Fault; isStream: boolean; status: number; code: string }[] = [
  ...[false, true].flatMap((isStream) => {
    const said = isStream ? 'a stream' : 'a whole answer'
    return [
      {
        name: `resets ${said} before it begins`,
        fault: (response: ServerResponse) => void response.socket?.resetAndDestroy(),
        isStream,
        status: 502,
        code: 'do_request_failed',
      },
      {
        name: `sends bytes that are no HTTP for ${said}`,
        fault: (response: ServerResponse) => void response.socket?.end(noise),
        isStream,
        status: 502,
        code: 'do_request_failed',
      },
      {
        name: `never begins ${said}`,
        fault: () => undefined,
        isStream,
        status: 504,
        code: 'upstream_timeout',
      },
      {
        name: `sends a page for ${said}`,
        fault: answers('text/html', page),
        isStream,
        status: 502,
        code: 'bad_response_body',
      },
      {
        name: `sends half a JSON text for ${said}`,
        fault: answers('application/json', JSON.stringify(completion('one two')).slice(0, 80)),
        isStream,
        status: 502,
        code: 'bad_response_body',
      },
      {
        name: `sends nothing for ${said}`,
        fault: answers('application/json', ''),
        isStream,
        status: 502,
        code: 'bad_response_body',
      },
      {
        name: `puts an error into the 200 of ${said}`,
        fault: (response: ServerResponse) => sendJson(response, failure),
        isStream,
        status: 502,
        code: 'engine',
      },
    ]
  }),
  {
    name: 'sends noise for a stream',
    fault: answers('text/event-stream', noise),
    isStream: true,
    status: 502,
    code: 'bad_response_body',
  },
  {
    name: 'begins a stream with an error',
    fault: (response) => {
      writeEvents(response, [failure])
      response.end()
    },
    isStream: true,
    status: 502,
    code: 'engine',
  },
]

/** After `one two three`. */
const broken: { name: string; fault: Fault }[] = [
  { name: 'resets', fault: (response) => void response.socket?.resetAndDestroy() },
  { name: 'falls silent', fault: () => undefined },
  { name: 'ends without its mark', fault: (response) => void response.end() },
  {
    name: 'sends an error',
    fault: (response) => {
      writeEvents(response, [failure])
      response.end()
    },
  },
  {
    name: 'sends an event without end',
    fault: async (response) => {
      const piece = 'x'.repeat(1_048_576)
      response.write('data: {"x":"')
      for (let sent = 0; sent < 18 && !response.destroyed; sent += 1) {
        await new Promise((resolve) => response.write(piece, resolve))
      }
    },
  },
]

const serves: Fault = (response) => sendJson(response, completion('one two', usage))

afterEach(async () => {
  // Whatever happened: the channel serves the next call.
  room.upstream.behave(serves)
  expect((await ask(false)).status).toBe(200)
})

describe('an upstream that', () => {
  it.each(silent)('$name is an error that costs nothing', async ({ fault, ...expected }) => {
    room.upstream.behave(fault)
    const answer = await ask(expected.isStream)
    expect(answer.status).toBe(expected.status)
    expect(await answer.json()).toMatchObject({ error: { code: expected.code } })
    expect(await charges()).toEqual([])
    expect(await balanceOf(room.customer)).toBe(balance)
    await expect.poll(failures).toMatchObject([{ quota: 0, model_name: model }])
    const [row] = await failures()
    expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ status_code: expected.status })
  })

  it.each(broken)('$name in mid-stream is paid for what it gave', async ({ fault }) => {
    room.upstream.behave(async (response) => {
      writeEvents(response, [chunk('one two three')])
      await flushed(response)
      await fault(response)
    })
    const answer = await ask(true)
    expect(answer.status).toBe(200)
    const text = await answer.text()
    expect(text).toContain('one two three')
    expect(text).toContain('"error"')
    expect(text).not.toContain('[DONE]')
    const rows = await charges()
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ completion_tokens: 3 })
    expect(JSON.parse(rows[0]?.other ?? '{}')).toMatchObject({ end: 'upstream_cut' })
    expect(await balanceOf(room.customer)).toBe(balance - (rows[0]?.quota ?? 0))
    await expect.poll(failures).toHaveLength(1)
  })

  it('refuses connections is an error that costs nothing', async () => {
    await setPrice(room.app.root, 'nobody', 1)
    await addChannel(room.app.root, { base_url: 'http://127.0.0.1:9', models: 'nobody' })
    const answer = await ask(true, 'nobody')
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ error: { code: 'do_request_failed' } })
    expect(await charges()).toEqual([])
    await expect.poll(failures).toHaveLength(1)
  })

  it('drips a stream byte by byte is read as any other', async () => {
    room.upstream.behave(async (response) => {
      const events = [chunk('eins zwei drei 五'), ...lastChunks(usage)]
      const text = events
        .map((event) => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`))
        .join('')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const byte of Buffer.from(text))
        await new Promise((resolve) => response.write(Buffer.of(byte), resolve))
      response.end()
    })
    const text = await (await ask(true)).text()
    expect(text).toContain('eins zwei drei 五')
    expect(text).toContain('[DONE]')
    expect((await charges()).map(({ quota }) => quota)).toEqual([15])
  })

  it.each([true, false])(
    'sends 8 MiB in one line is passed on whole, streamed: %s',
    async (isStream) => {
      const long = 'x'.repeat(EIGHT_MIB)
      room.upstream.behave((response) => {
        if (!isStream) return sendJson(response, completion(long, usage))
        writeEvents(response, [
          chunk(long),
          ...lastChunks({ ...usage, completion_tokens: 2_000_000 }),
        ])
        response.end()
      })
      const text = await (await ask(isStream)).text()
      expect(text).toContain(long)
      const rows = await charges()
      expect(rows).toHaveLength(1)
      expect(rows[0]?.quota).toBeGreaterThan(10)
      expect(await balanceOf(room.customer)).toBe(balance - (rows[0]?.quota ?? 0))
      expect(await failures()).toEqual([])
    },
  )

  it.each([true, false])('tells no usage is paid by our count, streamed: %s', async (isStream) => {
    room.upstream.behave((response) => {
      if (!isStream) return sendJson(response, completion('one two three'))
      writeEvents(response, [chunk('one two three'), ...lastChunks()])
      response.end()
    })
    expect(await (await ask(isStream)).text()).toContain('one two three')
    const rows = await charges()
    expect(rows[0]).toMatchObject({ completion_tokens: 3 })
    expect(rows[0]?.['prompt_tokens']).toBeGreaterThan(0)
    expect(await balanceOf(room.customer)).toBe(balance - (rows[0]?.quota ?? 0))
  })
})
