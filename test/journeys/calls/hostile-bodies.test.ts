// Bodies that try to hold or to stop the gateway, over raw sockets: slow, endless, packed, nested.
import { connect, type Socket } from 'node:net'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addCustomer, type App, type Customer, startApp } from '#test'
import { metric, metricsToken } from '../../harness/metrics-reader.ts'

const megabyte = 1024 * 1024

let app: App
let customer: Customer
const sockets: Socket[] = []

beforeAll(async () => {
  app = await startApp({
    env: {
      MAX_REQUEST_BODY_MB: '24',
      OPEN_BODIES_MB: '24',
      SLOW_BODY_SECONDS: '2',
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
      METRICS_TOKEN: metricsToken,
    },
  })
  customer = await addCustomer(app.root, 'hostile', 1_000_000)
})

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => app.close())

interface Exchange {
  socket: Socket
  /** The status line and headers, as soon as they are there. */
  head: Promise<string>
  closed: Promise<void>
}

function open(path: string, headers: Record<string, string | number>, method = 'POST'): Exchange {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  socket.on('error', () => undefined)
  const lines = Object.entries({ host: 'gateway', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  const head = new Promise<string>((resolve, reject) => {
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (text.includes('\r\n\r\n')) resolve(text)
    })
    socket.once('close', () => reject(new Error(`closed after ${JSON.stringify(text)}`)))
  })
  head.catch(() => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, head, closed }
}

const json = { 'content-type': 'application/json' }
const asClient = () => ({ ...json, authorization: `Bearer ${customer.key}` })

const spentSeconds = () => metric(app, 'process_cpu_seconds_total')

/** Sends a whole body and gives the head of the answer and what the gateway worked for it. */
async function send(path: string, body: Buffer, headers: Record<string, string>) {
  const before = await spentSeconds()
  const { socket, head } = open(path, { ...headers, 'content-length': body.length })
  socket.write(body)
  return { head: await head, seconds: (await spentSeconds()) - before }
}

describe('whoever is not known', () => {
  it.each([
    ['POST', '/nothing', 404],
    ['POST', '/api/nothing', 404],
    ['PUT', '/v1/nothing', 404],
    ['DELETE', '/mj/nothing', 404],
    ['POST', '/v1/chat/completions', 401],
    ['POST', '/v1/messages', 401],
    ['POST', '/v1/messages/count_tokens', 401],
    ['POST', '/v1/responses', 401],
    ['POST', '/v1/images/edits', 401],
    ['POST', '/v1/files', 401],
    ['POST', '/v1/engines/m/embeddings', 401],
    ['POST', '/v1beta/models/m:generateContent', 401],
    ['POST', '/v2/rerank', 401],
    ['POST', '/mj/submit/imagine', 401],
    ['POST', '/fast/mj/submit/imagine', 401],
    ['POST', '/suno/submit/music', 401],
    ['POST', '/suno/fetch', 401],
    ['POST', '/pg/chat/completions', 401],
    ['POST', '/api/channel/', 401],
  ])('%s %s is answered %i before a byte of the body came', async (method, path, status) => {
    const { head } = open(path, { ...json, 'content-length': 8 * megabyte }, method)
    expect(await head).toContain(`HTTP/1.1 ${status} `)
  })

  it.each(['/api/user/login', '/api/setup', '/mj/notify'])(
    'may send %s little, packed or not',
    async (path) => {
      const large = Buffer.from(JSON.stringify({ username: 'x'.repeat(100_000) }))
      expect((await send(path, large, json)).head).toContain('HTTP/1.1 413 ')
      const packed = gzipSync(Buffer.alloc(8 * megabyte, '['))
      const answer = await send(path, packed, { ...json, 'content-encoding': 'gzip' })
      expect(answer.head).toContain('HTTP/1.1 413 ')
    },
  )
})

describe('a small archive of very much', () => {
  const packed = { 'content-encoding': 'gzip' }

  it.each([
    ['brackets', Buffer.alloc(20 * megabyte, '[')],
    ['objects', Buffer.from('{"a":'.repeat(4_000_000))],
    ['numbers', Buffer.concat([Buffer.from('{"input":['), Buffer.alloc(20 * megabyte, '0,')])],
  ])('of %s is refused before it is parsed', async (_what, body) => {
    const answer = await send('/v1/embeddings', gzipSync(body), { ...asClient(), ...packed })
    expect(answer.head).toContain('HTTP/1.1 400 ')
    expect(answer.seconds).toBeLessThan(1.5)
  })

  it.each(['brackets', 'of a large window'])('packed with zstd (%s) is refused', async (what) => {
    const windowLog = what === 'brackets' ? 20 : 27
    const body = zstdCompressSync(Buffer.alloc(20 * megabyte, '['), {
      params: { [constants.ZSTD_c_windowLog]: windowLog },
    })
    const headers = { ...asClient(), 'content-encoding': 'zstd' }
    const answer = await send('/v1/embeddings', body, headers)
    expect(answer.head).toContain('HTTP/1.1 400 ')
    expect(answer.seconds).toBeLessThan(1.5)
  })

  it.each(['constructor', '__proto__', 'zip', 'gzip, br'])(
    'in the encoding %s is a 415 that tells what is taken',
    async (encoding) => {
      const headers = { ...asClient(), 'content-encoding': encoding }
      const { head } = await send('/v1/embeddings', Buffer.from('{}'), headers)
      expect(head).toContain('HTTP/1.1 415 ')
      expect(head.toLowerCase()).toContain('\r\naccept-encoding: gzip, br, deflate, zstd\r\n')
    },
  )

  it('of form parts is refused', async () => {
    const part =
      '--boundary-of-thirty-characters\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n'
    const answer = await send('/v1/images/edits', gzipSync(part.repeat(200_000)), {
      ...asClient(),
      ...packed,
      'content-type': 'multipart/form-data; boundary=boundary-of-thirty-characters',
    })
    expect(answer.head).toContain('HTTP/1.1 400 ')
    expect(answer.seconds).toBeLessThan(1.5)
  })
})

describe('a body that does not come', () => {
  it.each([
    ['/v1/chat/completions', asClient],
    ['/api/user/login', () => json],
  ])('to %s ends with 408, and its connection too', async (path, headers) => {
    const { socket, head, closed } = open(path, { ...headers(), 'content-length': 60_000 })
    const drip = setInterval(() => socket.write('{'), 100)
    try {
      expect(await head).toContain('HTTP/1.1 408 ')
      await closed
    } finally {
      clearInterval(drip)
    }
  })

  it('ends with 408 also when it began fast', async () => {
    const { socket, head } = open('/v1/embeddings', { ...asClient(), 'content-length': 9_000_000 })
    socket.write(Buffer.alloc(4 * megabyte, ' '))
    expect(await head).toContain('HTTP/1.1 408 ')
  })

  it('is not read for ever after its answer', async () => {
    const { socket, head, closed } = open('/nothing', { ...json, 'content-length': 8 * megabyte })
    expect(await head).toContain('HTTP/1.1 404 ')
    const drip = setInterval(() => socket.write('{'), 100)
    await closed
    clearInterval(drip)
  })

  it('holds no more of the memory than is free for all such bodies', async () => {
    const size = 15 * megabyte
    const headers = { ...asClient(), 'content-length': size + 1 }
    const body = Buffer.alloc(size, ' ')
    const exchanges = [open('/v1/embeddings', headers), open('/v1/embeddings', headers)]
    for (const { socket } of exchanges) socket.write(body)
    const first = await Promise.race(exchanges.map(({ head }) => head))
    expect(first).toContain('HTTP/1.1 429 ')
    expect(first.toLowerCase()).toContain('retry-after: 1')
    // What was refused holds nothing, and what ends gives back.
    for (const { socket } of exchanges) socket.destroy()
    const after = await send('/v1/embeddings', Buffer.from('{}'), asClient())
    expect(after.head).toContain('HTTP/1.1 400 ')
  })
})

it('is the same process afterwards, and met no fault that it had not foreseen', async () => {
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
  expect(app.process.log()).not.toContain('unhandled error')
})
