// What a transcription is charged for where its answer tells no length: that of the file, as its frames have it.
import { describe, expect, it } from 'vitest'
import { relayRoom, sendJson, type ShownLog } from '#test'

const room = relayRoom({
  channels: [{ models: 'whisper-1,gpt-4o-transcribe-diarize' }],
  priced: ['whisper-1'],
  customer: 'talker',
})

/** Frames of 32 kbit/s at 16 kHz, layer III of version 2: 144 bytes and 36 ms each. */
const frame = Buffer.concat([Buffer.from([0xff, 0xf3, 0x48, 0xc4]), Buffer.alloc(140)])
const twoMinutes = Buffer.concat(Array.from({ length: 3330 }, () => frame))

async function rowOf(file: Buffer, format: string, model = 'whisper-1'): Promise<ShownLog> {
  const form = new FormData()
  form.append('model', model)
  form.append('response_format', format)
  form.append('file', new Blob([new Uint8Array(file)], { type: 'audio/wav' }), 'a.wav')
  const response = await room.post('/v1/audio/transcriptions', form)
  expect(response.status).toBe(200)
  await response.text()
  return room.lastRow()
}

async function tokensOf(file: Buffer, format: string): Promise<unknown> {
  return (await rowOf(file, format))['prompt_tokens']
}

it.each([
  ['JSON, whatever it holds', JSON.stringify({ model: 'whisper-1', file: 'data:,x' }), 'file'],
  ['a form with an address beside its file', formWith('url'), 'url'],
  ['one with an address under another name', formWith('File_URL'), 'File_URL'],
])('no sound is taken but that of the file: %s', async (_what, body, param) => {
  const response = await room.post('/v1/audio/transcriptions', body)
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
    room.upstream.behave((response) => sendJson(response, { text: 'Hello' }))
    expect(await tokensOf(file, 'json')).toBe(tokens)
    room.upstream.behave((response) => {
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
    room.upstream.behave((response) => sendJson(response, answer))
    expect(await tokensOf(twoMinutes, 'verbose_json')).toBe(tokens)
  })
})

it('a transcript as plain text costs what a minute of sound costs, where sound has a price', async () => {
  room.upstream.behave((response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.end('Hello')
  })
  // 0.006 dollars a minute, as platform.openai.com has it.
  const row = await rowOf(twoMinutes, 'text', 'gpt-4o-transcribe-diarize')
  expect(row).toMatchObject({ prompt_tokens: 2000, quota: 0.006 * 2 * 500_000 })
})
