// Sessions in which speech is translated: sold by the minute of the client's sound.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addChannel, addCustomer, type App, balanceOf, consumptionRows, startApp } from '#test'
import {
  FrameClient,
  sendFrame as send,
} from '../../../../test/harness/counterparts/frame-clients.ts'
import { FrameUpstream } from '../../../../test/harness/counterparts/frame-upstream.ts'

const model = 'gpt-realtime-translate'
const balance = 10_000_000
/** Ratio 17: a minute is 1 000 tokens. */
const unitsOf = (seconds: number) => Math.round((seconds / 60) * 1000) * 17
/** 48 000 bytes a second, as base64. */
const sound = (seconds: number) => 'A'.repeat(seconds * 64_000)

let app: App
let upstream: FrameUpstream
let isSilent = false

beforeAll(async () => {
  upstream = await FrameUpstream.open()
  upstream.greet = (socket) => send(socket, { type: 'session.created', session: { id: 'sess_1' } })
  upstream.respond = (socket, { type }) => {
    if (type === 'session.close') send(socket, { type: 'session.closed' })
    else if (!isSilent) send(socket, { type: 'session.output_transcript.delta', delta: 'Hola' })
  }
  app = await startApp({ isWithin: true })
  await addChannel(app.root, { base_url: upstream.url, models: model })
})

afterAll(async () => {
  await app.close()
  upstream.close()
})

it('is charged by the sound of the client, on the way and at the end', async () => {
  const customer = await addCustomer(app.root, 'interpreter', balance)
  const client = new FrameClient(`${app.url}/v1/realtime/translations?model=${model}`, customer.key)
  await client.frame('session.created')
  client.send({ type: 'session.input_audio_buffer.append', audio: sound(20) })
  await client.frame('session.output_transcript.delta')
  expect(await balanceOf(customer)).toBe(balance)
  client.send({ type: 'session.input_audio_buffer.append', audio: sound(20) })
  await client.frame('session.output_transcript.delta', 2)
  // Where the tick of the second came first, its charge is on the way when the words come.
  await expect.poll(() => balanceOf(customer)).toBe(balance - unitsOf(40))
  client.send({ type: 'session.input_audio_buffer.append', audio: sound(5) })
  client.socket.close()
  await expect.poll(() => consumptionRows(app.root, customer.username)).toHaveLength(1)
  const [row] = await consumptionRows(app.root, customer.username)
  expect(row).toMatchObject({ quota: unitsOf(45), prompt_tokens: 750, model_name: model })
  expect(upstream.heard[0]).toMatchObject({ url: `/v1/realtime/translations?model=${model}` })
  // The upstream is asked for its last words, and hears no more.
  expect(upstream.heard.at(-1)).toEqual({ type: 'session.close' })
})

it('is charged, and ends with the balance, while the upstream is silent', async () => {
  isSilent = true
  const customer = await addCustomer(app.root, 'talker', unitsOf(60))
  const client = new FrameClient(`${app.url}/v1/realtime/translations?model=${model}`, customer.key)
  await client.frame('session.created')
  client.send({ type: 'session.input_audio_buffer.append', audio: sound(40) })
  await expect.poll(() => balanceOf(customer), { timeout: 5_000 }).toBe(unitsOf(60) - unitsOf(40))
  client.send({ type: 'session.input_audio_buffer.append', audio: sound(25) })
  expect(await client.frame('error')).toMatchObject({ error: { code: 'insufficient_user_quota' } })
  expect((await client.closed).code).toBe(1008)
})
