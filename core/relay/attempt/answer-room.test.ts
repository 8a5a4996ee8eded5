// Answers of many megabytes that come at once: compressed they cost their sender nothing.
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { balanceOf, relayRoom } from '#test'
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
    expect(() => other.take(MIB)).toThrow(expect.objectContaining({ status: 503 }))
  })
})

const balance = 1_000_000

describe('calls whose answers together are larger than the room', () => {
  const room = relayRoom({
    channels: [{ models: 'm' }],
    priced: ['m'],
    customer: 'reader',
    balance,
    env: { OPEN_BODIES_MB: '16' },
  })
  const call = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }

  it('are refused at no charge, and the next one is served', async () => {
    // Below the 128 MiB that one answer may have, so that three are too many and one is not.
    const packed = gzipSync(Buffer.alloc(100 * MIB, ' '), { level: 1 })
    const waiting: (() => void)[] = []
    room.upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      // None ends before the others have come.
      response.write(packed.subarray(0, -8))
      waiting.push(() => response.end(packed.subarray(-8)))
    })
    const refused: Response[] = []
    const answers = [1, 2, 3].map(() => room.post('/v1/chat/completions', call))
    for (const answer of answers) void answer.then((response) => refused.push(response))
    await expect.poll(() => refused.length, { timeout: 40_000 }).toBe(2)
    for (const answer of refused) {
      expect(answer.status).toBe(503)
      expect(await answer.json()).toMatchObject({ error: { code: 'answers_full' } })
    }
    for (const end of waiting.splice(0)) end()
    await Promise.all(answers)
    expect(await balanceOf(room.customer)).toBe(balance)
    const alone = room.post('/v1/chat/completions', call)
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(1)
    waiting[0]?.()
    expect((await alone).status).toBe(502)
  }, 60_000)
})
