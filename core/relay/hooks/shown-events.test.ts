// Hooks that see the events of a streamed answer, through a whole gateway and test/samples/event-marks.
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#core'
import { relayRoom, sendJson, writeEvents } from '#test'
import { echo } from '../../../test/harness/upstreams/echo-upstream.ts'
import { SseSplitter } from '../../wire/sse.ts'

const samples = fileURLToPath(new URL('../../../test/samples', import.meta.url))
const broken = ['broken-open', 'broken-closed', 'promised', 'unwritable']
const words = ['marked', 'watched', 'dropped', 'turned', 'refused', ...broken]
const [openai, claude, gemini] = ['o', 'c', 'g'].map((kind) => [
  `${kind}-plain`,
  ...words.map((word) => `${kind}-${word}`),
]) as [string[], string[], string[]]

const room = relayRoom({
  env: { PLUGIN_DIRS: samples },
  plugins: ['event-marks'],
  channels: [
    { models: openai.join() },
    { models: claude.join(), type: 14 },
    { models: gemini.join(), type: 24 },
  ],
  priced: [...openai, ...claude, ...gemini],
  customer: 'marked',
})

beforeEach(() => {
  room.upstream.calls.length = 0
  room.upstream.behave(echo({ isPlain: true }))
})

const messages = [{ role: 'user', content: 'Say it' }]
const clients = {
  'openai-chat': (model: string) => ['/v1/chat/completions', { model, stream: true, messages }],
  'openai-responses': (model: string) => [
    '/v1/responses',
    { model, stream: true, input: 'Say it' },
  ],
  'anthropic-messages': (model: string) => [
    '/v1/messages',
    { model, stream: true, max_tokens: 100, messages },
  ],
  gemini: (model: string) => [
    `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    { contents: [{ role: 'user', parts: [{ text: 'Say it' }] }] },
  ],
} as const satisfies Record<string, (model: string) => readonly [string, JsonObject]>

async function ask(model: string, dialect: keyof typeof clients = 'openai-chat') {
  const [path, body] = clients[dialect](model)
  const response = await room.post(path, body)
  const text = await response.text()
  return { status: response.status, text, events: eventsIn(text) }
}

function eventsIn(text: string): { name: string | undefined; data: JsonObject }[] {
  const splitter = new SseSplitter()
  return [...splitter.push(Buffer.from(text)), ...splitter.end()].flatMap(({ event, data }) =>
    data.startsWith('{') ? [{ name: event, data: JSON.parse(data) as JsonObject }] : [],
  )
}

const chunk = (content: string) => ({
  id: 'a',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
})
const ending = [
  { ...chunk(''), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  {
    ...chunk(''),
    choices: [],
    usage: { prompt_tokens: 40, completion_tokens: 60, total_tokens: 100 },
  },
]
const says = (...texts: string[]) =>
  room.upstream.behave((response) => {
    writeEvents(response, [...texts.map(chunk), ...ending])
    response.end('data: [DONE]\n\n')
  })

describe.each(Object.keys(clients) as (keyof typeof clients)[])('a client of %s', (dialect) => {
  it.each(['o', 'c', 'g'])('gets each event as the hooks leave it, from %s', async (upstream) => {
    const { status, events } = await ask(`${upstream}-marked`, dialect)
    expect(status).toBe(200)
    expect(events.length).toBeGreaterThan(1)
    // Answers pass in the opposite order of questions.
    expect(events.length).toBeGreaterThan(0)
    expect(events.map(({ data }) => data['mark'])).toEqual(events.map(() => 'ba'))
    for (const { name, data } of events) if (name !== undefined) expect(name).toBe(data['type'])
  })
})

describe('the events of a stream', () => {
  it('keep their bytes where no hook changes them', async () => {
    says('This ', 'that')
    const [plain, watched] = [await ask('o-plain'), await ask('o-watched')]
    expect(watched.text.replaceAll('o-watched', 'o-plain')).toBe(plain.text)
    expect(watched.text).toContain('data: [DONE]')
  })

  it('end their lines as the upstream does, whose other events keep their bytes', async () => {
    const said = ['This ', 'that'].map((text) => ({
      candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
    }))
    room.upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(said.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''))
    })
    const { text } = await ask('g-marked', 'gemini')
    expect(text.match(/"mark":"ba"}\r\n\r\n/g)).toHaveLength(said.length)
  })

  it('are charged by what the upstream sent, whatever is dropped', async () => {
    says('This ', 'secret ', 'that')
    const { text } = await ask('o-dropped')
    expect(text).toContain('This ')
    expect(text).toContain('that')
    expect(text).not.toContain('secret')
    expect(text).not.toContain('usage":{')
    expect(await room.lastRow()).toMatchObject({
      quota: 100,
      prompt_tokens: 40,
      completion_tokens: 60,
    })
  })

  it('are named by the type of what they become', async () => {
    const { events } = await ask('c-turned', 'anthropic-messages')
    expect(events.length).toBeGreaterThan(1)
    expect(events.every(({ name, data }) => name === 'turned' && data['type'] === 'turned')).toBe(
      true,
    )
  })

  it('are shown too where the upstream answered whole', async () => {
    room.upstream.behave((response) =>
      sendJson(response, {
        id: 'a',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [
          { index: 0, message: { role: 'assistant', content: 'This' }, finish_reason: 'stop' },
        ],
        usage: { prompt_tokens: 40, completion_tokens: 60, total_tokens: 100 },
      }),
    )
    const { events } = await ask('o-marked')
    expect(events.length).toBeGreaterThan(0)
    expect(events.map(({ data }) => data['mark'])).toEqual(events.map(() => 'ba'))
  })

  it('become the elements of an array where that is asked for', async () => {
    const [, body] = clients.gemini('g-marked')
    const response = await room.post('/v1beta/models/g-marked:streamGenerateContent', body)
    const elements = (await response.json()) as JsonObject[]
    expect(elements.length).toBeGreaterThan(1)
    expect(elements.every(({ mark }) => mark === 'ba')).toBe(true)
  })

  it('of pictures pass the hooks, too, and are charged', async () => {
    const usage = { input_tokens: 40, output_tokens: 60, total_tokens: 100 }
    room.upstream.behave((response) => {
      const done = { type: 'image_generation.completed', b64_json: 'aGk=', usage }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`event: image_generation.completed\ndata: ${JSON.stringify(done)}\n\n`)
    })
    const body = { model: 'o-dropped', prompt: 'A tree', stream: true }
    const response = await room.post('/v1/images/generations', body)
    expect(await response.text()).toBe('')
    expect(await room.lastRow()).toMatchObject({ prompt_tokens: 40, completion_tokens: 60 })
  })

  it('are not asked about in a whole answer', async () => {
    const response = await room.post('/v1/chat/completions', { model: 'o-marked', messages })
    expect(await response.json()).not.toHaveProperty('mark')
  })
})

describe('a hook of events that breaks', () => {
  it('lets the rest through when it is open', async () => {
    says('This ', 'secret ', 'that')
    const { events, text } = await ask('o-broken-open')
    expect(events[0]?.data['mark']).toBe('x')
    expect(text).toContain('secret')
    expect(text).toContain('that')
    expect(events.at(-1)?.data['mark']).toBeUndefined()
  })

  it.each(['promised', 'unwritable'])('lets all through when it is open: %s', async (word) => {
    says('This ', 'that')
    const plain = await ask('o-plain')
    const { status, text } = await ask(`o-${word}`)
    expect(status).toBe(200)
    expect(text.replaceAll(`o-${word}`, 'o-plain')).toBe(plain.text)
  })

  it('ends the answer when it is closed, or refuses it', async () => {
    for (const [model, word, end] of [
      ['o-broken-closed', 'A check of this gateway failed', 'hook_failed'],
      ['o-refused', 'No more of this answer', 'answer_refused'],
    ] as const) {
      says('This ', 'secret ', 'that')
      const { text } = await ask(model)
      expect(text).toContain('This ')
      expect(text).toContain(word)
      expect(text).not.toContain('secret')
      expect(text).not.toContain('that')
      expect(JSON.parse((await room.lastRow()).other)).toMatchObject({ end })
    }
  })

  it('has a stored answer refused that would stream past it', async () => {
    room.upstream.behave(echo({ isPlain: true }))
    const response = await room.post('/v1/responses', { model: 'o-broken-closed', input: 'x' })
    const { id } = (await response.json()) as { id: string }
    const authorization = `Bearer ${room.customer.key}`
    const get = (query: string) =>
      fetch(`${room.app.url}/v1/responses/${id}${query}`, { headers: { authorization } })
    for (const query of ['?stream=true', '?stream=true&stream=true', '?stream=1', '?stream=True'])
      expect((await get(query)).status).toBe(403)
    for (const query of ['', '?stream=false', '?stream=False'])
      expect((await get(query)).status).not.toBe(403)
  })
})
