// What a transcription is charged for where its answer tells no length: that of the file, as its frames have it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  consumptionRows,
  type Customer,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  setPrice,
  startApp,
} from '#test'

let app: App
let upstream: ScriptedUpstream
let customer: Customer

beforeAll(async () => {
  upstream = await scriptedUpstream()
  app = await startApp()
  await addChannel(app.root, { base_url: upstream.url, models: 'whisper-1' })
  await setPrice(app.root, 'whisper-1', 1)
  customer = await addCustomer(app.root, 'talker', 10_000_000)
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

/** Frames of 32 kbit/s at 16 kHz, layer III of version 2: 144 bytes and 36 ms each. */
const frame = Buffer.concat([Buffer.from([0xff, 0xf3, 0x48, 0xc4]), Buffer.alloc(140)])
const twoMinutes = Buffer.concat(Array.from({ length: 3330 }, () => frame))

async function tokensOf(file: Buffer, format: string): Promise<unknown> {
  const form = new FormData()
  form.append('model', 'whisper-1')
  form.append('response_format', format)
  form.append('file', new Blob([new Uint8Array(file)], { type: 'audio/wav' }), 'a.wav')
  const response = await fetch(`${app.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.key}` },
    body: form,
  })
  expect(response.status).toBe(200)
  await response.text()
  const [row] = await consumptionRows(app.root, customer.username)
  return row?.prompt_tokens
}

it.each([
  ['JSON, whatever it holds', JSON.stringify({ model: 'whisper-1', file: 'data:,x' }), 'file'],
  ['a form with an address beside its file', formWith('url'), 'url'],
  ['one with an address under another name', formWith('File_URL'), 'File_URL'],
])('no sound is taken but that of the file: %s', async (_what, body, param) => {
  const response = await fetch(`${app.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${customer.key}`,
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
    },
    body,
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { param } })
})

function formWith(field: string): FormData {
  const form = new FormData()
  form.append('model', 'whisper-1')
  form.append(field, 'https://example.com/an-hour.mp3')
  form.append('file', new Blob(['x']), 'a.mp3')
  return form
}

/** A minute is 1000 tokens. */
describe('a transcription', () => {
  it.each([
    { what: 'an MP3 of 32 kbit/s', file: twoMinutes, tokens: 2000 },
    { what: 'a file that nobody can read, at 6 kbit/s', file: Buffer.alloc(45_000), tokens: 1000 },
  ])('pays for the length of $what', async ({ file, tokens }) => {
    upstream.behave((response) => sendJson(response, { text: 'Hello' }))
    expect(await tokensOf(file, 'json')).toBe(tokens)
    upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      response.end('Hello')
    })
    expect(await tokensOf(file, 'text')).toBe(tokens)
  })

  it.each([
    [{ text: 'Hello', duration: 30 }, 500],
    [{ text: 'Hello', usage: { type: 'duration', seconds: 30 } }, 500],
    [{ text: 'Hello', duration: 1e308 }, 2000],
    [{ text: 'Hello', duration: -5 }, 2000],
    [{ text: 'Hello', usage: { type: 'tokens', input_tokens: 0, output_tokens: 2 } }, 2000],
  ])('pays for what the answer says, if that can be: %j', async (answer, tokens) => {
    upstream.behave((response) => sendJson(response, answer))
    expect(await tokensOf(twoMinutes, 'verbose_json')).toBe(tokens)
  })
})
