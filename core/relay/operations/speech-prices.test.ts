// What speech costs whose sound is sold by the token: an answer of bytes tells no usage, so its length does.
import { describe, expect, it } from 'vitest'
import { balanceOf, relayRoom, writeEvents } from '#test'

const model = 'gpt-4o-mini-tts'
const balance = 10_000_000
const room = relayRoom({
  channels: [{ models: `${model},tts-1` }],
  priced: [model, 'tts-1'],
  customer: 'listener',
  balance,
  isAnew: true,
})

/** Frames of 32 kbit/s at 16 kHz, layer III of version 2: 144 bytes and 36 ms each. */
const frame = Buffer.concat([Buffer.from([0xff, 0xf3, 0x48, 0xc4]), Buffer.alloc(140)])
const twoMinutes = Buffer.concat(Array.from({ length: 3333 }, () => frame))
const input = 'Hello there'

const speak = (more: object = {}) =>
  room.post('/v1/audio/speech', { model, voice: 'alloy', input, ...more })

function answerWith(sound: Buffer, type = 'audio/mpeg'): void {
  room.upstream.behave((response) => {
    response.writeHead(200, { 'content-type': type })
    for (let at = 0; at < sound.length; at += 65_536)
      response.write(sound.subarray(at, at + 65_536))
    response.end()
  })
}

describe('speech of a model that sells sound by the token', () => {
  it('is charged for its length, 1 250 tokens a minute, and arrives as it is', async () => {
    answerWith(twoMinutes)
    const answer = await speak()
    expect(Buffer.from(await answer.arrayBuffer()).equals(twoMinutes)).toBe(true)
    const row = await room.lastRow()
    expect(row).toMatchObject({ prompt_tokens: 2, completion_tokens: 2500, quota: 2502 })
    expect(JSON.parse(row.other)).toMatchObject({ estimated: true })
    expect(await balanceOf(room.customer)).toBe(balance - 2502)
  })

  it('is charged for the bytes of raw sound, 24 000 samples a second', async () => {
    answerWith(Buffer.alloc(24_000 * 2 * 60), 'audio/pcm')
    await (await speak({ response_format: 'pcm' })).arrayBuffer()
    expect(await room.lastRow()).toMatchObject({ completion_tokens: 1250 })
  })

  it('is charged by its text where its sound cannot be read', async () => {
    answerWith(Buffer.alloc(500_000), 'application/octet-stream')
    await (await speak({ input: 'word '.repeat(35) })).arrayBuffer()
    const { prompt_tokens: prompt, completion_tokens: tokens } = await room.lastRow()
    expect(tokens).toBe(Math.round((Number(prompt) / 3.5 / 60) * 1250))
  })

  it.each([
    [{ type: 'speech.audio.done', usage: { input_tokens: 14, output_tokens: 101 } }, 14, 101],
    [{ type: 'speech.audio.done' }, 2, 12],
  ])(
    'is charged by the usage of a stream of events, if that tells any: %j',
    async (done, ...expected) => {
      room.upstream.behave((response) => {
        writeEvents(response, [{ type: 'speech.audio.delta', audio: 'AAAA' }, done])
        response.end()
      })
      await (await speak({ stream_format: 'sse' })).text()
      const [prompt, completion] = expected
      const row = await room.lastRow()
      expect(row).toMatchObject({ prompt_tokens: prompt, completion_tokens: completion })
    },
  )

  it('reserves for the sound that the text will become', async () => {
    answerWith(twoMinutes)
    await (await speak({ input: 'word '.repeat(700) })).arrayBuffer()
    const { receipt } = JSON.parse((await room.lastRow()).other) as Receipted
    expect(receipt.reserved.units).toBeGreaterThan(4_000)
  })
})

interface Receipted {
  receipt: { reserved: { units: number } }
}

it('speech that is sold by the character is charged for its text alone', async () => {
  answerWith(twoMinutes)
  await (await speak({ model: 'tts-1' })).arrayBuffer()
  expect(await room.lastRow()).toMatchObject({ quota: input.length, completion_tokens: 0 })
})
