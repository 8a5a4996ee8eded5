// Clients that read slowly, or leave before their request is whole.
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { balanceOf, consumptionRows } from '#test'
import { chunk, completion, lastChunks } from '../../harness/chat-chunks.ts'
import { metric, metricsToken } from '../../harness/metrics-reader.ts'
import { relayRoom } from '../../harness/relay-room.ts'
import { sendJson } from '../../harness/scripted-upstream.ts'

const model = 'patient'
const balance = 100_000_000
const room = relayRoom({
  channels: [{ models: model }],
  priced: [model],
  customer: 'reader',
  balance,
  isAnew: true,
  env: { METRICS_TOKEN: metricsToken, STREAMING_TIMEOUT: '3', DRAIN_BYTES: '1000' },
})

/** More than the buffers of all sockets on the way together. */
const pieces = 96
const piece = 'word '.repeat(50_000)
const usage = { prompt_tokens: 10, completion_tokens: 4_800_000 }

/** Writes as fast as it is read, and tells how much was. */
function largeAnswer(): { sent: number } {
  const progress = { sent: 0 }
  room.upstream.behave(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (; progress.sent < pieces && !response.destroyed; progress.sent += 1)
      await new Promise((resolve) =>
        response.write(`data: ${JSON.stringify(chunk(piece))}\n\n`, resolve),
      )
    for (const event of lastChunks(usage))
      response.write(typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`)
    response.end()
  })
  return progress
}

function call(headers: Record<string, string> = {}): ClientRequest {
  const { key } = room.customer
  const made = request(`${room.app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  })
  return made.on('error', () => undefined)
}

const body = { model, stream: true, messages: [{ role: 'user', content: 'Hi' }] }

async function answered(made: ClientRequest, sent: object = body): Promise<IncomingMessage> {
  made.end(JSON.stringify(sent))
  const [response] = (await once(made, 'response')) as [IncomingMessage]
  return response.on('error', () => undefined)
}

/** Until two looks see the same: the buffers on the way are full. */
async function stalled(progress: { sent: number }): Promise<number> {
  let before = -1
  await vi.waitFor(
    () => {
      const { sent } = progress
      const isSame = sent === before && sent > 0
      before = sent
      expect(isSame).toBe(true)
    },
    { timeout: 15_000, interval: 500 },
  )
  return before
}

const charges = () => consumptionRows(room.app.root, room.customer.username)

const openCalls = () => metric(room.app, 'tollgate_open_calls')

describe('a client that reads slowly', () => {
  it('holds its upstream back, and gets and pays the whole answer in the end', async () => {
    const progress = largeAnswer()
    const response = await answered(call())
    response.pause()
    expect(await stalled(progress)).toBeLessThan(pieces)
    let length = 0
    let end = ''
    for await (const data of response as AsyncIterable<Buffer>) {
      length += data.length
      end = (end + data.toString('latin1')).slice(-20)
    }
    expect(length).toBeGreaterThan(pieces * piece.length)
    expect(end).toContain('[DONE]')
    const rows = await charges()
    expect(rows).toHaveLength(1)
    expect(rows[0]?.quota).toBe(usage.prompt_tokens + usage.completion_tokens)
    expect(await balanceOf(room.customer)).toBe(balance - (rows[0]?.quota ?? 0))
  })

  it('pays for what came until it left', async () => {
    const progress = largeAnswer()
    const made = call()
    const response = await answered(made)
    response.pause()
    const sent = await stalled(progress)
    made.destroy()
    await vi.waitFor(async () => expect(await charges()).toHaveLength(1), { timeout: 5_000 })
    const [row] = await charges()
    expect(Number(row?.['completion_tokens'])).toBeLessThanOrEqual((sent + 1) * 50_001)
    expect(await balanceOf(room.customer)).toBe(balance - (row?.quota ?? 0))
    await vi.waitFor(async () => expect(await openCalls()).toBe(0), { timeout: 5_000 })
  })

  it('is given up when it takes nothing for STREAMING_TIMEOUT, and pays for what came', async () => {
    largeAnswer()
    const response = await answered(call())
    response.pause()
    await vi.waitFor(async () => expect(await charges()).toHaveLength(1), { timeout: 12_000 })
    const [row] = await charges()
    expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ end: 'client_left_counted' })
    expect(await balanceOf(room.customer)).toBe(balance - (row?.quota ?? 0))
    await vi.waitFor(async () => expect(await openCalls()).toBe(0), { timeout: 5_000 })
    response.destroy()
  })
})

describe('a client that takes nothing of a whole answer', () => {
  it('is given up after STREAMING_TIMEOUT, and has paid', async () => {
    room.upstream.behave((response) => {
      sendJson(response, completion(piece.repeat(pieces), usage))
    })
    const response = await answered(call(), { ...body, stream: false })
    response.pause()
    await vi.waitFor(async () => expect(await openCalls()).toBe(0), { timeout: 12_000 })
    expect((await charges()).map(({ quota }) => quota)).toEqual([4_800_010])
    expect(await balanceOf(room.customer)).toBe(balance - 4_800_010)
    response.destroy()
  })
})

describe('a client that leaves', () => {
  it('before its body is whole, reaches nobody and pays nothing', async () => {
    const reached = room.upstream.calls.length
    const made = call({ 'content-length': '100000' })
    made.write(JSON.stringify(body).slice(0, 40))
    await vi.waitFor(async () => expect(await openCalls()).toBe(1), { timeout: 5_000 })
    made.destroy()
    await vi.waitFor(async () => expect(await openCalls()).toBe(0), { timeout: 5_000 })
    expect(room.upstream.calls).toHaveLength(reached)
    expect(await charges()).toEqual([])
    expect(await balanceOf(room.customer)).toBe(balance)
  })
})
