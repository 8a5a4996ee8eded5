// Answers of many megabytes that come at once: compressed they cost their sender nothing.
import { gzipSync } from 'node:zlib'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceOf, relayRoom, sendJson } from '#test'
import { AnswerRoom } from './answer-room.ts'

const MIB = 1_048_576

describe('the room for answers', () => {
  it('counts what is above the first MiB of each, and has it back', () => {
    const room = new AnswerRoom(4 * MIB)
    const [small, large, other] = [room.open(), room.open(), room.open()]
    for (let count = 0; count < 100; count += 1) small.take(10_000)
    for (let count = 0; count < 4; count += 1) large.take(MIB)
    other.take(MIB)
    other.take(MIB)
    expect(() => other.take(1)).toThrow(expect.objectContaining({ code: 'relay.answers_full' }))
    large.close()
    large.close()
    other.take(2 * MIB)
  })

  it('lets no account fill it with files of its choice, but with one that is as large', () => {
    const full = expect.objectContaining({ code: 'relay.answers_full' })
    const room = new AnswerRoom(16 * MIB)
    const files = (sender: string, count: number) =>
      Array.from({ length: count }, () => {
        const share = room.open(sender)
        share.takeFile(4 * MIB)
        return share
      })
    const held = files('first', 2)
    expect(() => files('first', 1)).toThrow(full)
    held.push(...files('second', 1))
    // Answers were paid for.
    const answer = room.open('first')
    answer.take(4 * MIB)
    for (const share of [answer, ...held]) share.close()
    const alone = room.open('first')
    for (let count = 0; count < 16; count += 1) alone.takeFile(MIB)
    alone.close()
  })

  it('refuses for good what does not fit alone', () => {
    const [whole, other] = [new AnswerRoom(4 * MIB).open(), new AnswerRoom(4 * MIB).open()]
    whole.take(5 * MIB)
    const tooLarge = { status: 502, code: 'relay.answer_too_large' }
    expect(() => whole.take(1)).toThrow(expect.objectContaining(tooLarge))
    expect(() => other.take(6 * MIB)).toThrow(expect.objectContaining(tooLarge))
  })
})

const balance = 1_000_000

describe('calls whose answers together are larger than the room', () => {
  const room = relayRoom({
    channels: [
      { models: 'm' },
      { models: 'm-picture', type: 24 },
      { models: 'm-speech', type: 17 },
    ],
    priced: ['m', 'm-picture', 'm-speech'],
    customer: 'reader',
    balance,
    env: { OPEN_BODIES_MB: '16', MAX_FILE_DOWNLOAD_MB: '80', SSRF_ALLOW: '127.0.0.0/8' },
  })
  const call = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }

  const waiting: (() => void)[] = []
  /** Sends a large answer, whose end waits until the others have come. */
  function sendMost(response: ServerResponse, packed: Buffer, type: string): void {
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' })
    response.write(packed.subarray(0, -8))
    waiting.push(() => response.end(packed.subarray(-8)))
  }
  // Below the 128 MiB that one answer may have, so that two are too many and one is not.
  const packed = gzipSync(Buffer.alloc(70 * MIB, '{'), { level: 1 })

  it('are refused at no charge, and the next one is served', async () => {
    room.upstream.behave((response) => sendMost(response, packed, 'application/json'))
    const refused: Response[] = []
    const answers = [1, 2, 3].map(() => room.post('/v1/chat/completions', call))
    for (const answer of answers) void answer.then((response) => refused.push(response))
    await expect.poll(() => refused.length, { timeout: 40_000 }).toBe(2)
    for (const answer of refused) {
      expect(answer.status).toBe(503)
      expect(await answer.json()).toMatchObject({
        error: {
          code: 'answers_full',
          type: 'server_error',
          message: expect.stringContaining('in a few seconds') as string,
        },
      })
      expect(answer.headers.get('retry-after')).toBe('5')
    }
    for (const end of waiting.splice(0)) end()
    await Promise.all(answers)
    expect(await balanceOf(room.customer)).toBe(balance)
    const alone = room.post('/v1/chat/completions', call)
    await expect.poll(() => waiting.length).toBe(1)
    waiting[0]?.()
    expect((await alone).status).toBe(502)
  })

  it('are refused where they are stored ones that are looked up', async () => {
    const made = { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output: [] }
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
    room.upstream.behave((response) => sendJson(response, { ...made, usage }))
    expect((await room.post('/v1/responses', { model: 'm', input: 'Hi' })).status).toBe(200)
    room.upstream.behave((response) => sendMost(response, packed, 'application/json'))
    const headers = { authorization: `Bearer ${room.customer.key}` }
    const look = () => fetch(`${room.app.url}/v1/responses/resp_1`, { headers })
    const refused: Response[] = []
    const answers = [1, 2].map(look)
    for (const answer of answers) void answer.then((response) => refused.push(response))
    await expect.poll(() => refused.length, { timeout: 40_000 }).toBe(1)
    expect(refused[0]?.status).toBe(503)
    for (const end of waiting.splice(0)) end()
    for (const answer of await Promise.all(answers)) await answer.arrayBuffer()
    room.upstream.behave((response) => sendJson(response, made))
    expect((await look()).status).toBe(200)
  })

  describe('and the files that they name by URL', () => {
    const file = gzipSync(Buffer.alloc(70 * MIB), { level: 1 })
    const sound = gzipSync(Buffer.alloc(45 * MIB), { level: 1 })
    const dropped: Promise<unknown>[] = []
    const files = createServer(({ url }, response) => {
      if (url === '/missing.png') return void response.writeHead(404).end()
      if (url === '/a.wav') return sendMost(response, sound, 'audio/wav')
      dropped.push(once(response, 'close'))
      sendMost(response, file, 'image/png')
    })
    beforeAll(() => once(files.listen(0, '127.0.0.1'), 'listening'))
    afterAll(() => void files.close())

    const base = () => `http://127.0.0.1:${(files.address() as AddressInfo).port}`
    const describePicture = (...names: string[]) => {
      const content = ['a.png', ...names].map((name) => ({
        type: 'image_url',
        image_url: { url: `${base()}/${name}` },
      }))
      const messages = [{ role: 'user', content }]
      return room.post('/v1/chat/completions', { model: 'm-picture', messages })
    }

    it('are refused as well, and have their room back', async () => {
      for (const _round of ['first', 'second']) {
        const refused: Response[] = []
        const answers = [1, 2].map(() => describePicture())
        for (const answer of answers) void answer.then((response) => refused.push(response))
        await expect.poll(() => refused.length, { timeout: 40_000 }).toBe(1)
        expect(refused[0]?.status).toBe(503)
        expect(await refused[0]?.json()).toMatchObject({ error: { code: 'answers_full' } })
        files.closeAllConnections()
        waiting.length = 0
        expect(
          (await Promise.all(answers)).map(({ status }) => status).toSorted((a, b) => a - b),
        ).toEqual([400, 503])
      }
    })

    it('take none of it any more once another file of their call has failed', async () => {
      dropped.length = 0
      expect((await describePicture('missing.png')).status).toBe(400)
      await Promise.all(dropped)
      room.upstream.behave((response) => sendJson(response, {}))
      const alone = describePicture()
      await expect.poll(() => waiting.length).toBe(2)
      waiting[1]?.()
      expect(await (await alone).text()).not.toContain('answers_full')
    })

    it('are answers where the answer names them, for which the account has no share', async () => {
      room.upstream.behave((response) =>
        sendJson(response, { output: { audio: { url: `${base()}/a.wav` } } }),
      )
      waiting.length = 0
      const speech = { model: 'm-speech', input: 'Hi', voice: 'Cherry' }
      const answers = [1, 2].map(() => room.post('/v1/audio/speech', speech))
      await expect.poll(() => waiting.length).toBe(2)
      waiting[1]?.()
      expect((await Promise.race(answers)).status).toBe(200)
      waiting[0]?.()
      for (const answer of await Promise.all(answers)) {
        expect(answer.status).toBe(200)
        await answer.arrayBuffer()
      }
    })
  })
})
