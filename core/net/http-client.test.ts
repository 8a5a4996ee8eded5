import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpClient, type HttpClientDependencies } from './http-client.ts'
import { meaningOf } from './socket-codes.ts'

const closers: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function clientWith(dependencies: Partial<HttpClientDependencies> = {}) {
  const client = createHttpClient({ ssrfAllow: [], ...dependencies })
  closers.push(() => client.close())
  return client
}

/** Starts a server and gives its port. */
async function serve(listener: RequestListener, address = '127.0.0.1', port = 0): Promise<number> {
  const server = createServer(listener).listen(port, address)
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const echo: RequestListener = (request, response) => {
  void textOf(request).then((body) =>
    response.end(JSON.stringify({ url: request.url, headers: request.headers, body })),
  )
}

const post = (port: number, body?: string) => ({
  method: 'POST',
  url: `http://127.0.0.1:${port}/v1/chat?a=b`,
  headers: { 'content-type': 'application/json', authorization: 'Bearer sk-1' },
  ...(body === undefined ? {} : { body }),
})

describe('sending a request', () => {
  it('sends method, path, headers and body, and gives status, headers and body', async () => {
    const port = await serve((request, response) => {
      response.setHeader('X-Two', ['a', 'b'])
      response.statusCode = 201
      echo(request, response)
    })
    const response = await clientWith().request(post(port, '{"a":"é"}'))
    expect(response.status).toBe(201)
    expect(response.headers['x-two']).toBe('a, b')
    const seen = JSON.parse(await textOf(response.body))
    expect(seen).toMatchObject({
      url: '/v1/chat?a=b',
      body: '{"a":"é"}',
      headers: { authorization: 'Bearer sk-1', 'content-length': '10' },
    })
  })

  it('encodes form parts with quoting and a boundary of its own', async () => {
    const port = await serve(echo)
    const { body } = await clientWith().json({
      ...post(port),
      body: [
        { name: 'model', value: 'whisper-1' },
        {
          name: 'file',
          filename: 'a"b\r\n.mp3',
          contentType: 'audio/mpeg',
          data: Buffer.from('x'),
        },
      ],
    })
    const seen = body as { body: string; headers: Record<string, string> }
    const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(
      seen.headers['content-type'] ?? '',
    )?.[1]
    expect(seen.body).toBe(
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="model"',
        '',
        'whisper-1',
        `--${boundary}`,
        'Content-Disposition: form-data; name="file"; filename="a%22b%0D%0A.mp3"',
        'Content-Type: audio/mpeg',
        '',
        'x',
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    )
  })

  it('gives the text of an answer that is no JSON and refuses one that is too long', async () => {
    const port = await serve((_request, response) => response.end('<html>'))
    const client = clientWith()
    expect((await client.json(post(port))).body).toBe('<html>')
    await expect(client.json(post(port), { maxBytes: 5 })).rejects.toMatchObject({
      code: 'net.answer_too_large',
    })
  })

  it('takes room for an answer until it has been parsed', async () => {
    const port = await serve((_request, response) => response.end('{"a":1}'))
    const taken: (number | 'closed')[] = []
    const open = () => ({
      take: (bytes: number) => {
        taken.push(bytes)
        if (taken.length > 2) throw new Error('no room')
      },
      close: () => void taken.push('closed'),
    })
    const client = clientWith({ answers: { open } })
    expect((await client.json(post(port))).body).toEqual({ a: 1 })
    expect(taken).toEqual([7, 'closed'])
    await expect(client.json(post(port))).rejects.toThrow('no room')
    expect(taken.at(-1)).toBe('closed')
  })

  it('keeps back what a slow reader has not taken', async () => {
    let sent = 0
    const port = await serve((_request, response) => {
      const block = Buffer.alloc(64 * 1024)
      const more = (): void => {
        let isFree = true
        for (; isFree && sent < 512; sent += 1) isFree = response.write(block)
        if (sent < 512) response.once('drain', more)
        else response.end()
      }
      more()
    })
    const response = await clientWith().request(post(port))
    const reader = response.body[Symbol.asyncIterator]()
    let size = (await reader.next()).value?.length ?? 0
    // Another exchange over the same loop gives the sender every chance to run ahead.
    const other = await serve(echo)
    const client = clientWith()
    for (let round = 0; round < 200; round += 1) await client.json(post(other))
    expect(sent).toBeLessThan(400)
    for (let next = await reader.next(); !next.done; next = await reader.next()) {
      size += next.value.length
    }
    expect(size).toBe(512 * 64 * 1024)
  })
})

describe('failing', () => {
  it('tells a refused connection from an unknown host', async () => {
    const port = await serve(echo)
    await closers.pop()?.()
    const client = clientWith({ resolve: async () => [] })
    await expect(client.request(post(port))).rejects.toMatchObject({
      code: 'net.unreachable',
      values: { reason: meaningOf('ECONNREFUSED'), phase: 'connect' },
    })
    await expect(
      client.request({ method: 'GET', url: 'http://nowhere.test/', headers: {} }),
    ).rejects.toMatchObject({ values: { reason: meaningOf('ENOTFOUND'), phase: 'connect' } })
  })

  it.each([
    [40, 'accepts no version or cipher'],
    [70, 'accepts no version or cipher'],
    [112, 'serves no host of that name'],
    [116, 'wants a certificate from its caller'],
  ])('says what alert %d of TLS means: %s', async (alert, words) => {
    const server = createTcpServer((socket) => {
      socket.once('data', () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, alert])))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(() => void server.close())
    const { port } = server.address() as AddressInfo
    const asked = clientWith().request({ ...post(port), url: `https://127.0.0.1:${port}/` })
    await expect(asked).rejects.toMatchObject({
      code: 'net.unreachable',
      values: { reason: { en: expect.stringContaining(words) }, phase: 'connect' },
    })
  })

  it('says when the first byte was late, and when a later one was', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/stuck') response.write('first')
    })
    const client = clientWith()
    const late = client.request(post(port), { firstByteTimeoutMs: 50 })
    await expect(late).rejects.toMatchObject({ code: 'net.timeout', values: { phase: 'headers' } })
    const stuck = await client.request(
      { ...post(port), url: `http://127.0.0.1:${port}/stuck` },
      { idleTimeoutMs: 50 },
    )
    await expect(textOf(stuck.body)).rejects.toMatchObject({
      code: 'net.timeout',
      values: { phase: 'body' },
    })
  })

  it('gives what came before the connection broke, then throws', async () => {
    const port = await serve((_request, response) => {
      response.write('part', () => response.socket?.destroy())
    })
    const response = await clientWith().request(post(port))
    const seen: string[] = []
    const reading = (async () => {
      for await (const chunk of response.body) seen.push(Buffer.from(chunk).toString())
    })()
    await expect(reading).rejects.toMatchObject({
      code: 'net.unreachable',
      values: { phase: 'body' },
    })
    expect(seen).toEqual(['part'])
  })

  it('stops at a signal before, during and after the headers', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/stream') response.write('first')
    })
    const client = clientWith()
    const gone = new Error('client left')
    await expect(client.request(post(port), { signal: AbortSignal.abort(gone) })).rejects.toBe(gone)
    const waiting = new AbortController()
    const waited = client.request(post(port), { signal: waiting.signal })
    waiting.abort(gone)
    await expect(waited).rejects.toBe(gone)
    const streaming = new AbortController()
    const response = await client.request(
      { ...post(port), url: `http://127.0.0.1:${port}/stream` },
      { signal: streaming.signal },
    )
    streaming.abort(gone)
    await expect(textOf(response.body)).rejects.toBe(gone)
  })

  it('closes the connection when the reader leaves', async () => {
    let upstream: IncomingMessage | undefined
    const port = await serve((request, response) => {
      upstream = request
      response.write('first')
    })
    const response = await clientWith().request(post(port))
    let read = ''
    for await (const chunk of response.body) {
      read += Buffer.from(chunk).toString()
      break
    }
    expect(read).toBe('first')
    if (upstream?.socket.destroyed === false) await once(upstream.socket, 'close')
    expect(upstream?.socket.destroyed).toBe(true)
  })

  it.each(['nonsense', 'file:///etc/passwd', 'ftp://example.com/'])('refuses %s', async (url) => {
    await expect(clientWith().request({ method: 'GET', url, headers: {} })).rejects.toMatchObject({
      code: 'net.invalid_url',
    })
  })
})

describe('guarding addresses', () => {
  const get = (url: string) => ({ method: 'GET', url, headers: { authorization: 'secret' } })

  it('refuses a private address that a user names and sends nothing', async () => {
    let calls = 0
    const port = await serve((_request, response) => {
      calls += 1
      response.end('{}')
    })
    const client = clientWith({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
    for (const host of ['127.0.0.1', 'localhost', 'inner.test', '[::ffff:127.0.0.1]']) {
      await expect(
        client.request(get(`http://${host}:${port}/`), { trust: 'user' }),
      ).rejects.toMatchObject({ code: 'net.forbidden_address' })
    }
    expect(calls).toBe(0)
    expect((await client.json(get(`http://inner.test:${port}/`))).status).toBe(200)
  })

  it('connects to the very addresses it judged, however the name server changes its mind', async () => {
    const inner: string[] = []
    const port = await serve((_request, response) => {
      response.setHeader('connection', 'close')
      response.end('{"is":"outer"}')
    })
    await serve(
      (request, response) => {
        inner.push(request.url ?? '')
        response.end('{}')
      },
      '127.0.0.2',
      port,
    )
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.2']
    let questions = 0
    const client = clientWith({
      ssrfAllow: ['127.0.0.1/32'],
      rememberDnsMs: 0,
      resolve: async () => [{ address: answers[questions++] ?? '127.0.0.2', family: 4 }],
    })
    const url = `http://rebind.test:${port}/`
    expect((await client.json(get(url), { trust: 'user' })).body).toEqual({ is: 'outer' })
    expect(questions).toBe(1)
    await expect(client.json(get(url), { trust: 'user' })).rejects.toMatchObject({
      code: 'net.forbidden_address',
    })
    expect(inner).toEqual([])
  })

  it('never lends an admin connection to a user', async () => {
    const port = await serve(echo)
    const client = clientWith({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
    await client.json(get(`http://inner.test:${port}/`))
    await expect(
      client.json(get(`http://inner.test:${port}/`), { trust: 'user' }),
    ).rejects.toMatchObject({ code: 'net.forbidden_address' })
  })
})

describe('redirects', () => {
  const redirectTo = (location: string, status = 302): RequestListener => {
    return (_request, response) => response.writeHead(status, { location }).end()
  }

  it('hands the redirect itself to who did not ask to follow', async () => {
    const port = await serve(redirectTo('http://127.0.0.1:1/'))
    expect((await clientWith().json(post(port))).status).toBe(302)
  })

  it('judges every hop', async () => {
    const port = await serve(redirectTo('http://169.254.169.254/latest/meta-data/'))
    await expect(clientWith().json(post(port), { maxRedirects: 3 })).rejects.toMatchObject({
      code: 'net.forbidden_address',
    })
  })

  it.each([
    { status: 307, method: 'POST', body: 'x' },
    { status: 303, method: 'GET', body: '' },
    { status: 302, method: 'GET', body: '' },
  ])('follows $status with $method and takes no key to another origin', async (expected) => {
    let seen: IncomingMessage | undefined
    const target = await serve((request, response) => {
      seen = request
      echo(request, response)
    })
    const port = await serve(redirectTo(`http://127.0.0.1:${target}/moved`, expected.status))
    const { body } = await clientWith().json(post(port, 'x'), { maxRedirects: 1 })
    expect(seen?.method).toBe(expected.method)
    expect(body).toMatchObject({ url: '/moved', body: expected.body })
    expect(seen?.headers.authorization).toBeUndefined()
  })

  it('gives up after as many hops as were allowed', async () => {
    const port = await serve(redirectTo('/again'))
    await expect(clientWith().json(post(port), { maxRedirects: 2 })).rejects.toMatchObject({
      code: 'net.too_many_redirects',
    })
  })
})
