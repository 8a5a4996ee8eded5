// What a pool of connections does with servers of all kinds: the bytes on the wire are written here, and nothing between.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHttpClient } from '../http-client.ts'
import { meaningOf } from '../socket-codes.ts'

interface WireServer {
  server: Server
  url: string
  /** In the order in which they came. */
  sockets: Socket[]
  /** What each connection has received. */
  received: string[]
}

/** @param answer the bytes for a request, or what to do with its socket */
async function serve(
  answer: string | ((socket: Socket, count: number) => void),
): Promise<WireServer> {
  const sockets: Socket[] = []
  const received: string[] = []
  let count = 0
  const server = createServer((socket) => {
    const at = sockets.push(socket) - 1
    received[at] = ''
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      received[at] += text
      if (!/^(?:GET|POST|HEAD) /.test(text)) return
      count += 1
      if (typeof answer === 'string') socket.write(answer, 'latin1')
      else answer(socket, count)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, server, sockets, received }
}

function openClient() {
  const client = createHttpClient({ ssrfAllow: [] })
  onTestFinished(() => client.close())
  const ask = async (
    url: string,
    part: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array } = {},
  ) => {
    const { status, body } = await client.request({ method: 'POST', url, headers: {}, ...part })
    const pieces: Uint8Array[] = []
    for await (const piece of body) pieces.push(piece)
    return { status, text: Buffer.concat(pieces).toString('latin1') }
  }
  return { client, ask }
}

const ok = 'HTTP/1.1 200 OK\r\n'
const short = `${ok}content-length: 2\r\n\r\nok`
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a connection is used again', () => {
  it('for the next request, and as many are opened as there are at one time', async () => {
    const { url, sockets } = await serve(short)
    const { ask } = openClient()
    for (let round = 0; round < 5; round += 1)
      expect(await ask(url)).toEqual({ status: 200, text: 'ok' })
    expect(sockets).toHaveLength(1)
    await Promise.all([ask(url), ask(url), ask(url)])
    expect(sockets).toHaveLength(3)
    await Promise.all([ask(url), ask(url), ask(url)])
    expect(sockets).toHaveLength(3)
  })

  it.each([
    ['the server closes', `${ok}connection: close\r\ncontent-length: 2\r\n\r\nok`],
    ['the server is old', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok'],
    ['the server is about to close', `${ok}keep-alive: timeout=1\r\ncontent-length: 2\r\n\r\nok`],
    [
      'bytes come that nobody asked for',
      `${short}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`,
    ],
  ])('but not where %s', async (_name, bytes) => {
    const { url, sockets } = await serve(bytes)
    const { ask } = openClient()
    for (let round = 1; round <= 3; round += 1) {
      expect(await ask(url)).toEqual({ status: 200, text: 'ok' })
      expect(sockets).toHaveLength(round)
    }
  })

  it('but not where an answer came that nobody had asked for', async () => {
    const { url, sockets } = await serve(short)
    const { ask } = openClient()
    await ask(url)
    sockets[0]?.write(`${ok}content-length: 4\r\n\r\nevil`)
    await once(sockets[0] as Socket, 'close')
    expect(await ask(url)).toEqual({ status: 200, text: 'ok' })
    expect(sockets).toHaveLength(2)
  })

  it('but not where the server closes it before the request has gone out', async () => {
    const { url, sockets } = await serve(short)
    const { ask } = openClient()
    for (let round = 1; round <= 10; round += 1) {
      expect(await ask(url)).toEqual({ status: 200, text: 'ok' })
      expect(sockets).toHaveLength(round)
      // The end is there to be read in the turn at whose end the next request would go out.
      await turn()
      sockets.at(-1)?.end()
    }
  })

  it.each(['GET', 'HEAD'])('but not where a %s meets its closing', async (method) => {
    const { url, sockets } = await serve((socket, count) => {
      if (count % 2 === 0) socket.destroy()
      else socket.write(method === 'HEAD' ? `${ok}content-length: 2\r\n\r\n` : short)
    })
    const { ask } = openClient()
    for (let round = 1; round <= 3; round += 1) {
      expect(await ask(url, { method })).toMatchObject({ status: 200 })
      expect(sockets).toHaveLength(round)
    }
  })

  it.each([
    ['a POST, which the server may have begun, is sent', 'POST', ''],
    ['what was answered in part is asked for', 'GET', 'HTTP/1.1 2'],
  ])('and nothing twice: %s once', async (_, method, part) => {
    const { url, received } = await serve((socket, count) => {
      if (count === 2) socket.end(part)
      else socket.write(short)
    })
    const { ask } = openClient()
    await ask(url, { method })
    await expect(ask(url, { method })).rejects.toMatchObject({ code: 'net.unreachable' })
    expect(received).toHaveLength(1)
  })

  it('and a server that closes each connection unheard is asked once on a new one', async () => {
    const { url, received } = await serve((socket, count) => {
      if (count > 3) socket.destroy()
      else setImmediate(() => socket.write(short))
    })
    const { ask } = openClient()
    await Promise.all([ask(url), ask(url), ask(url)])
    await expect(ask(url, { method: 'GET' })).rejects.toMatchObject({ code: 'net.unreachable' })
    expect(received).toHaveLength(4)
  })

  it('but where none can be opened in place of a closed one, nobody has seen the request', async () => {
    const { url, sockets, server } = await serve(short)
    const { ask } = openClient()
    await ask(url)
    await turn()
    sockets[0]?.end()
    server.close()
    await expect(ask(url)).rejects.toMatchObject({
      code: 'net.unreachable',
      values: { reason: meaningOf('ECONNREFUSED'), phase: 'connect' },
    })
  })

  it('but does not keep a process that has nothing else to do', async () => {
    const { url, sockets } = await serve(short)
    const program = `
      import { createHttpClient } from ${JSON.stringify(new URL('../http-client.ts', import.meta.url).href)}
      const { json } = createHttpClient({ ssrfAllow: [] })
      for (let round = 0; round < 2; round += 1)
        console.log(JSON.stringify(await json({ method: 'GET', url: '${url}', headers: {} })))`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program])
    onTestFinished(() => void child.kill())
    let said = ''
    child.stdout.on('data', (bytes) => (said += String(bytes)))
    const closed = new Promise<number>((resolve) => {
      child.stdout.once('data', () => {
        const from = performance.now()
        child.once('close', () => resolve(performance.now() - from))
      })
    })
    expect(await closed).toBeLessThan(3_000)
    expect(said.match(/"body":"ok"/g)).toHaveLength(2)
    expect(sockets).toHaveLength(1)
  })

  it('but not where the server answered before it had the request', async () => {
    const refused = `HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\n\r\nbig`
    const { url, sockets } = await serve((socket) => {
      socket.pause()
      socket.write(refused)
    })
    const { ask } = openClient()
    const body = Buffer.alloc(32 * 1024 * 1024, 120)
    expect(await ask(url, { body })).toEqual({ status: 413, text: 'big' })
    expect(await ask(url, { body })).toEqual({ status: 413, text: 'big' })
    expect(sockets).toHaveLength(2)
  })
})

describe('a request', () => {
  it('has its length and its host, whatever its body is made of', async () => {
    const { url, received } = await serve(short)
    const { ask } = openClient()
    const head = `POST /a?b=c HTTP/1.1\r\nhost: ${new URL(url).host}\r\nx-a: é\r\n`
    const bodies: [string | Uint8Array | undefined, number, string][] = [
      [undefined, 0, ''],
      ['', 0, ''],
      ['plain', 5, 'plain'],
      ['é文', 5, Buffer.from('é文').toString('latin1')],
      [new Uint8Array([0, 255, 10]), 3, '\0\xff\n'],
      ['x'.repeat(40_000), 40_000, 'x'.repeat(40_000)],
      [Buffer.alloc(40_000, 'y'), 40_000, 'y'.repeat(40_000)],
    ]
    for (const [body, length, text] of bodies) {
      received[0] = ''
      await ask(`${url}/a?b=c`, {
        headers: { 'X-A': 'é', 'Content-Length': '7' },
        ...(body === undefined ? {} : { body }),
      })
      while ((received[0] ?? '').length < head.length + length) await turn()
      expect(received[0]).toBe(
        `${head}content-length: ${length}\r\nconnection: keep-alive\r\n\r\n${text}`,
      )
    }
  })

  it('without a body has no length where none is expected', async () => {
    const { url, received } = await serve(short)
    await openClient().ask(url, { method: 'GET', headers: { host: 'other.test' } })
    expect(received[0]).toBe('GET / HTTP/1.1\r\nhost: other.test\r\nconnection: keep-alive\r\n\r\n')
  })

  it('goes out without what belongs to one connection, and without what has no value', async () => {
    const { url, received } = await serve(short)
    const of = (headers: Partial<Record<string, string>>) => headers as Record<string, string>
    const headers = of({ TE: 'trailers', trailer: 'x', connection: 'upgrade', 'x-a': undefined })
    await openClient().ask(url, { method: 'GET', headers })
    const { host } = new URL(url)
    expect(received[0]).toBe(`GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n\r\n`)
  })

  it.each([
    ['a line end', { 'x-a': 'b\r\nx-c: d' }],
    ['a bare line end', { 'x-a': 'b\nx-c: d' }],
    ['a NUL', { 'x-a': 'b\0' }],
    ['a sign beyond Latin-1', { 'x-a': '文' }],
    ['a name with a line end', { 'x-a\r\nx-b': 'c' }],
    ['a name with a colon', { 'x:a': 'b' }],
    ['no name', { '': 'b' }],
    ['a framing of its own', { 'Transfer-Encoding': 'chunked' }],
    ['an upgrade', { upgrade: 'websocket' }],
    ['an expectation', { expect: '100-continue' }],
  ])('with %s in its headers goes nowhere', async (_name, headers) => {
    const { url, sockets } = await serve(short)
    const { ask } = openClient()
    await expect(ask(url, { headers })).rejects.toMatchObject({
      code: 'net.unreachable',
      values: { reason: 'INVALID_HEADER', phase: 'connect' },
    })
    expect(sockets).toHaveLength(0)
  })
})

describe('an answer', () => {
  it('of a server that turns everybody away before it is asked is read, through a proxy too', async () => {
    const busy = 'HTTP/1.1 503 Busy\r\nconnection: close\r\ncontent-length: 4\r\n\r\nbusy'
    const proxy = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n\r\n${busy}`))
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    onTestFinished(() => void proxy.close())
    const { client } = openClient()
    const input = { method: 'POST', url: 'http://upstream.test/', headers: {}, body: 'x' }
    const { port } = proxy.address() as AddressInfo
    const answer = await client.json(input, { proxy: `http://127.0.0.1:${port}` })
    expect(answer).toMatchObject({ status: 503, body: 'busy' })
  })

  it('that is no HTTP is an error and not a word of it is told', async () => {
    const { url } = await serve('+OK secret-of-the-server ready\r\n\r\n')
    const failure = await openClient()
      .ask(url)
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: 'net.unreachable',
      values: { reason: meaningOf('INVALID_STATUS_LINE'), phase: 'headers' },
    })
    expect(JSON.stringify([failure, String((failure as Error).cause)])).not.toContain('secret')
  })

  it('that no rest can make one of HTTP is not waited for', async () => {
    const { url } = await serve('+OK ready\r\n')
    await expect(openClient().ask(url)).rejects.toMatchObject({
      code: 'net.unreachable',
      values: { reason: meaningOf('INVALID_STATUS_LINE'), phase: 'headers' },
    })
  })

  it('whose head drips for ever is late at its time', async () => {
    const { url } = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-a: ')
      const timer = setInterval(() => socket.write('H'), 10)
      socket.on('close', () => clearInterval(timer))
    })
    const { client } = openClient()
    const late = client.request({ method: 'GET', url, headers: {} }, { firstByteTimeoutMs: 100 })
    await expect(late).rejects.toMatchObject({ code: 'net.timeout', values: { phase: 'headers' } })
  })

  it('that its reader takes slowly is not late', async () => {
    const { url } = await serve((socket) => {
      socket.write(`${ok}content-length: ${4 * 1024 * 1024}\r\n\r\n`)
      socket.write(Buffer.alloc(4 * 1024 * 1024))
    })
    const { client } = openClient()
    const { body } = await client.request(
      { method: 'GET', url, headers: {} },
      { idleTimeoutMs: 1_000 },
    )
    let size = 0
    for await (const piece of body) {
      if (size === 0) await new Promise((resolve) => setTimeout(resolve, 1_500))
      size += piece.length
    }
    expect(size).toBe(4 * 1024 * 1024)
  })

  it('that nobody reads ends in its time', async () => {
    let closed: Promise<unknown> = Promise.resolve()
    const { url } = await serve((socket) => {
      closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write(`${ok}content-length: ${4 * 1024 * 1024}\r\n\r\n`)
      socket.write(Buffer.alloc(4 * 1024 * 1024))
    })
    const { client } = openClient()
    const { body } = await client.request(
      { method: 'GET', url, headers: {} },
      { unreadTimeoutMs: 100 },
    )
    await closed
    const reading = async () => {
      for await (const piece of body) expect(piece.length).toBeGreaterThan(0)
    }
    await expect(reading()).rejects.toMatchObject({ code: 'net.timeout' })
  })

  it('of a client that is closed ends with an error, and so does what comes later', async () => {
    const { url } = await serve((socket) => socket.write(`${ok}content-length: 5\r\n\r\nhe`))
    const { client, ask } = openClient()
    const { body } = await client.request({ method: 'GET', url, headers: {} })
    const waiting = ask(url)
    await client.close()
    await expect(waiting).rejects.toMatchObject({ code: 'net.unreachable' })
    const reading = async () => {
      for await (const piece of body) expect(Buffer.from(piece).toString()).toBe('he')
    }
    await expect(reading()).rejects.toMatchObject({
      values: { reason: 'CLIENT_CLOSED', phase: 'body' },
    })
  })
})
