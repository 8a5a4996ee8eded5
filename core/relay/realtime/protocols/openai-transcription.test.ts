// Sessions in which speech is written down: the first message names the model.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  consumptionRows,
  type Customer,
  startApp,
} from '#test'
import {
  type Frame,
  FrameClient,
  sendFrame as send,
} from '../../../../test/harness/counterparts/frame-clients.ts'
import { openaiTranscription } from './openai-transcription.ts'
import { FrameUpstream } from '../../../../test/harness/counterparts/frame-upstream.ts'

const model = 'gpt-live-transcribe'
const balance = 10_000_000
const completed = 'conversation.item.input_audio_transcription.completed'
/** Ratio 8.5: a minute is 1 000 tokens. */
const unitsOf = (seconds: number) => Math.round(Math.round((seconds / 60) * 1000) * 8.5)

let app: App
let upstream: FrameUpstream
let usage: Frame

beforeAll(async () => {
  upstream = await FrameUpstream.open()
  upstream.greet = (socket) => send(socket, { type: 'session.created', session: { id: 'sess_1' } })
  upstream.respond = (socket, { type }) => {
    if (type === 'session.update') send(socket, { type: 'session.updated' })
    if (type === 'input_audio_buffer.commit')
      send(socket, { type: completed, transcript: 'Hello', ...usage })
  }
  app = await startApp({ isWithin: true })
  await addChannel(app.root, {
    base_url: upstream.url,
    models: `${model},dictation`,
    model_mapping: JSON.stringify({ dictation: model }),
  })
})

beforeEach(() => {
  upstream.heard = []
})

afterAll(async () => {
  await app.close()
  upstream.close()
})

const asking = (name: string) => ({
  type: 'session.update',
  session: {
    type: 'transcription',
    audio: { input: { transcription: { model: name, prompt: 'Medical terms.' } } },
  },
})
/** 48 000 bytes a second, as base64. */
const sound = { type: 'input_audio_buffer.append', audio: 'A'.repeat(10 * 64_000) }

/** Whoever waits for a greeting gets one. */
async function greeted({ key }: Customer): Promise<FrameClient> {
  const client = new FrameClient(`${app.url}/v1/realtime?intent=transcription`, key)
  await client.frame('session.created')
  return client
}

it.each([
  ['by the time', { usage: { type: 'duration', seconds: 9.2 } }, unitsOf(10)],
  ['by what cannot be the time', { usage: { type: 'duration', seconds: 1e6 } }, unitsOf(10)],
  ['by tokens', { usage: { type: 'tokens', input_tokens: 40, output_tokens: 10 } }, 425],
  ['by nothing', {}, unitsOf(10)],
])(
  'a transcript that the upstream counts %s is charged before it is told',
  async (how, told, units) => {
    usage = told
    const customer = await addCustomer(app.root, `w${how.replaceAll(' ', '')}`, balance)
    const client = await greeted(customer)
    client.send(asking(model))
    await client.frame('session.updated')
    client.send(sound)
    client.send({ type: 'input_audio_buffer.commit' })
    await client.frame(completed)
    expect(balance - (await balanceOf(customer))).toBe(units)
    client.socket.close()
    await expect.poll(() => consumptionRows(app.root, customer.username)).toHaveLength(1)
    const [row] = await consumptionRows(app.root, customer.username)
    expect(row).toMatchObject({ quota: units, model_name: model })
    expect(upstream.heard[0]).toMatchObject({ url: '/v1/realtime?intent=transcription' })
  },
)

it('sound keeps its format when an update names none', async () => {
  usage = {}
  const customer = await addCustomer(app.root, 'caller', balance)
  const client = await greeted(customer)
  const { session } = asking(model)
  const input = { ...session.audio.input, format: { type: 'audio/pcmu' } }
  client.send({ ...asking(model), session: { ...session, audio: { input } } })
  client.send(asking(model))
  // Ten seconds of 8 000 bytes, as base64.
  client.send({ ...sound, audio: 'A'.repeat(106_664) })
  client.send({ type: 'input_audio_buffer.commit' })
  await client.frame(completed)
  expect(balance - (await balanceOf(customer))).toBe(unitsOf(10))
})

it('sound that the client leaves behind is written down and charged', async () => {
  usage = { usage: { type: 'duration', seconds: 10 } }
  const customer = await addCustomer(app.root, 'leaver', balance)
  const client = await greeted(customer)
  client.send(asking(model))
  await client.frame('session.updated')
  client.send(sound)
  client.socket.close()
  await expect.poll(() => consumptionRows(app.root, customer.username)).toHaveLength(1)
  const [row] = await consumptionRows(app.root, customer.username)
  expect(row).toMatchObject({ quota: unitsOf(10) })
})

it('sound without a balance for it ends the session', async () => {
  const client = await greeted(await addCustomer(app.root, 'poor', unitsOf(40)))
  client.send(asking(model))
  await client.frame('session.updated')
  for (let seconds = 0; seconds < 60; seconds += 10) client.send(sound)
  expect(await client.frame('error')).toMatchObject({ error: { code: 'insufficient_user_quota' } })
  expect((await client.closed).code).toBe(1008)
})

it('a session keeps its model, which the upstream hears under its own name', async () => {
  await app.root.put('/api/option/', { key: 'ModelRatio', value: JSON.stringify({ dictation: 1 }) })
  const client = await greeted(await addCustomer(app.root, 'dictator', balance))
  client.send(asking('dictation'))
  await client.frame('session.updated')
  client.send(asking('gpt-4o-transcribe'))
  expect(await client.frame('error')).toMatchObject({
    error: { param: 'session.audio.input.transcription.model' },
  })
  client.send(asking('dictation'))
  await client.frame('session.updated', 2)
  client.socket.close()
  expect(upstream.heard.slice(1)).toEqual([asking(model), asking(model)])
})

it('writes down nothing that its client has thrown away', () => {
  const meter = openaiTranscription.meter(model)
  const append = { type: 'input_audio_buffer.append', audio: 'A'.repeat(64_000) }
  const clear = { type: 'input_audio_buffer.clear' }
  for (const frame of [append, append, append, clear, append]) meter.sent(frame)
  meter.received({ type: 'input_audio_buffer.cleared' })
  const oneSecond = meter.received({ type: completed })?.due?.input
  expect(oneSecond).toBe(Math.round(1000 / 60))
})
