// Gemini's Live API with Google's own SDK: a row for the session, a charge for each turn.
import { once } from 'node:events'
import { GoogleGenAI, type LiveServerMessage, Modality, type Session } from '@google/genai'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  consumptionRows,
  type Customer,
  setPrice,
  startApp,
} from '#test'
import type { Frame } from '../../../../test/harness/counterparts/frame-clients.ts'
import { FrameUpstream } from '../../../../test/harness/counterparts/frame-upstream.ts'

const model = 'talker'
const balance = 1_000_000
const path = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const usageMetadata = {
  promptTokenCount: 522,
  responseTokenCount: 42,
  totalTokenCount: 700,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 332 },
    { modality: 'AUDIO', tokenCount: 165 },
  ],
  responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 42 }],
  thoughtsTokenCount: 136,
}
// Every part costs one unit a token: thoughts are beside the answer.
const turnUnits = 522 + 42 + 136

let app: App
let upstream: FrameUpstream
let customer: Customer
let customers = 0

beforeAll(async () => {
  upstream = await FrameUpstream.open()
  app = await startApp({ isWithin: true })
  await addChannel(app.root, {
    type: 24,
    base_url: upstream.url,
    models: model,
    model_mapping: JSON.stringify({ [model]: 'gemini-3.8-live' }),
  })
  await addChannel(app.root, {
    type: 41,
    key: 'a-key-of-the-project-itself',
    base_url: upstream.url,
    models: 'keeper',
  })
  for (const name of [model, 'keeper']) await setPrice(app.root, name, 1)
})

beforeEach(async () => {
  customers += 1
  customer = await addCustomer(app.root, `speaker${customers}`, balance)
  upstream.heard = []
  upstream.respond = answer
})

afterEach(() => upstream.dropAll())

afterAll(async () => {
  await app.close()
  upstream.close()
})

/** Bytes, as Google's own does. */
const say = (socket: WebSocket, frame: Frame) => socket.send(Buffer.from(JSON.stringify(frame)))

function answer(socket: WebSocket, frame: Frame): void {
  if (frame['setup']) return say(socket, { setupComplete: {} })
  if (frame['clientContent']) turn(socket, { usageMetadata })
}

function turn(socket: WebSocket, end: Frame): void {
  const inlineData = { mimeType: 'audio/pcm;rate=24000', data: 'A'.repeat(6_400) }
  say(socket, { serverContent: { modelTurn: { parts: [{ inlineData }] } } })
  say(socket, { serverContent: { generationComplete: true } })
  say(socket, { serverContent: { turnComplete: true }, ...end })
}

interface Talk {
  session: Session
  /** Resolves with the first message of which that is true. */
  message(isMeant: (message: LiveServerMessage) => boolean): Promise<LiveServerMessage>
  closed: Promise<{ code: number; reason: string }>
}

async function talk(): Promise<Talk> {
  const seen: LiveServerMessage[] = []
  const waiting: (() => void)[] = []
  const { promise: closed, resolve: close } = Promise.withResolvers<{
    code: number
    reason: string
  }>()
  const ai = new GoogleGenAI({ apiKey: customer.key, httpOptions: { baseUrl: app.url } })
  const session = await ai.live.connect({
    model,
    config: { responseModalities: [Modality.AUDIO], systemInstruction: 'Be brief.' },
    callbacks: {
      onmessage: (message) => {
        seen.push(message)
        for (const wake of waiting.splice(0)) wake()
      },
      onclose: ({ code, reason }) => close({ code, reason }),
    },
  })
  return {
    session,
    closed,
    async message(isMeant) {
      for (;;) {
        const found = seen.find(isMeant)
        if (found) return found
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
  }
}

async function rowOf({ username }: Customer) {
  await expect.poll(() => consumptionRows(app.root, username)).toHaveLength(1)
  const [row] = await consumptionRows(app.root, username)
  if (!row) throw new Error('the row is gone')
  return { ...row, other: JSON.parse(row.other) as Frame }
}

const isComplete = ({ serverContent }: LiveServerMessage) => serverContent?.turnComplete === true

describe('a session of the Live API of Gemini', () => {
  it('runs with the official SDK, and each turn is charged before its end is told', async () => {
    const { session, message } = await talk()
    session.sendClientContent({ turns: 'Hello' })
    await message(isComplete)
    expect(await balanceOf(customer)).toBe(balance - turnUnits)
    session.close()
    expect(upstream.heard[0]).toEqual({ url: path, key: 'sk-upstream' })
    expect(upstream.heard[1]).toMatchObject({ setup: { model: 'models/gemini-3.8-live' } })
    expect(await rowOf(customer)).toMatchObject({
      quota: turnUnits,
      model_name: model,
      prompt_tokens: 522,
      completion_tokens: 42 + 136,
      other: { ws: true, audio_input: 165, audio_output: 42 },
    })
  })

  it.each([
    ['after the end of the turn', (socket: WebSocket) => say(socket, { usageMetadata }), turnUnits],
    // A tenth of a second of sound is 2.5 tokens; "Be brief." and "Hello" are four.
    ['never', () => undefined, 3 + 4],
  ])('is charged for a turn whose usage comes %s', async (_, then, units) => {
    upstream.respond = (socket, frame) => {
      if (!frame['clientContent']) return answer(socket, frame)
      turn(socket, {})
      then(socket)
      say(socket, { goAway: { timeLeft: '1s' } })
    }
    const { session, message } = await talk()
    session.sendClientContent({ turns: 'Hello' })
    await message(({ goAway }) => goAway !== undefined)
    session.close()
    expect((await rowOf(customer)).quota).toBe(units)
  })

  it('counts sound of a rate that cannot be at the usual one', async () => {
    upstream.respond = (socket, frame) => {
      if (!frame['realtimeInput']) return answer(socket, frame)
      turn(socket, {})
      say(socket, { goAway: { timeLeft: '1s' } })
    }
    const { session, message } = await talk()
    // A second of 16 000 samples, as base64.
    session.sendRealtimeInput({
      audio: { data: 'A'.repeat(42_668), mimeType: 'audio/pcm;rate=0000' },
    })
    await message(({ goAway }) => goAway !== undefined)
    session.close()
    expect((await rowOf(customer)).quota).toBe(3 + 25 + 3)
  })

  it('is charged for what came of a turn that breaks off', async () => {
    upstream.respond = (socket, frame) => {
      if (!frame['realtimeInput']) return answer(socket, frame)
      say(socket, { serverContent: { modelTurn: { parts: [{ text: 'Hello there' }] } } })
      socket.terminate()
    }
    const { session, closed } = await talk()
    session.sendRealtimeInput({ text: 'Hello' })
    expect((await closed).code).toBe(1011)
    expect((await rowOf(customer)).quota).toBe(4 + 2)
  })

  it.each([
    ['a text', { realtimeInput: { text: 'Plutonium!' } }],
    [
      'an answer of a tool',
      { tool_response: { function_responses: [{ response: ['Plutonium!'] }] } },
    ],
    [
      'what stands beside',
      { setup: {}, clientContent: { turns: [{ parts: [{ text: 'Plutonium!' }] }] } },
    ],
  ])('says in its close frame why it ends, for %s', async (_, frame) => {
    await app.root.put('/api/option/', { key: 'SensitiveWords', value: 'plutonium' })
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}${path}?key=${customer.key}`)
    await once(socket, 'open')
    socket.send(JSON.stringify({ setup: { model } }))
    await once(socket, 'message')
    socket.send(JSON.stringify(frame))
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
    expect(code).toBe(1008)
    expect(reason.toString()).toContain('a word that is not allowed')
    await app.root.put('/api/option/', { key: 'SensitiveWords', value: '' })
    expect(upstream.heard).toHaveLength(2)
  })

  it('does not show what the upstream quotes of the key', async () => {
    upstream.respond = (socket, frame) => {
      if (frame['setup']) return answer(socket, frame)
      say(socket, { error: { message: 'The key sk-upstream is bad.' } })
    }
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}${path}?key=${customer.key}`)
    await once(socket, 'open')
    socket.send(JSON.stringify({ setup: { model } }))
    await once(socket, 'message')
    socket.send('{"realtimeInput":{"text":"Hello"}}')
    const [data] = (await once(socket, 'message')) as [Buffer]
    expect(data.toString()).toBe('{"error":{"message":"The key *** is bad."}}')
    socket.close()
  })

  it('is refused for the reason for which the upstream closes', async () => {
    upstream.respond = (socket) =>
      socket.close(1008, 'models/gemini-3.8-live is not found for v1beta')
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}${path}?key=${customer.key}`)
    await once(socket, 'open')
    socket.send(JSON.stringify({ setup: { model: `models/${model}` } }))
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
    expect(code).toBe(1008)
    expect(reason.toString()).toContain('is not found for v1beta')
    expect(await balanceOf(customer)).toBe(balance)
  })

  it.each([
    ['names no model', '{"setup":{}}', 'setup.model'],
    [
      'spells a field twice',
      `{"setup":{"model":"${model}","system_instruction":1,"systemInstruction":2}}`,
      'are one field',
    ],
    ['names a model that is not served', '{"setup":{"model":"models/none"}}', 'none'],
  ])('is refused if its first message %s', async (_, text, words) => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}${path}?key=${customer.key}`)
    await once(socket, 'open')
    socket.send(text)
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
    expect(code).toBe(1008)
    expect(reason.toString()).toContain(words)
    expect(upstream.heard).toEqual([])
  })

  it.each([
    ['at its beginning', [{ setup: { model: 'keeper', tools: [{ retrieval: {} }] } }]],
    ['by a single tool', [{ setup: { model: 'keeper', tools: { retrieval: {} } } }]],
    [
      'in what a function has answered',
      [
        { setup: { model: 'keeper' } },
        {
          toolResponse: {
            functionResponses: [{ parts: [{ fileData: { fileUri: 'gs://private/plan.pdf' } }] }],
          },
        },
      ],
    ],
    [
      'later',
      [
        { setup: { model: 'keeper' } },
        {
          clientContent: {
            turns: [{ role: 'user', parts: [{ fileData: { fileUri: 'gs://private/plan.pdf' } }] }],
          },
        },
      ],
    ],
  ])('reads no data of the operator for its client %s', async (_, frames) => {
    const address = `${app.url.replace('http', 'ws')}${path}?key=${customer.key}`
    const socket = new WebSocket(address)
    await once(socket, 'open')
    const closed = once(socket, 'close') as Promise<[number, Buffer]>
    for (const frame of frames) socket.send(JSON.stringify(frame))
    const [code, reason] = await closed
    expect([code, String(reason)]).toEqual([1008, expect.stringContaining('not')])
    expect(upstream.heard.flatMap((heard) => Object.keys(heard)).join()).not.toMatch(
      /clientContent|toolResponse/,
    )
    expect(JSON.stringify(upstream.heard)).not.toMatch(/retrieval|private/)
  })
})
