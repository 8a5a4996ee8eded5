import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createHttpClient } from './http-client.ts'
import { isProxyAddress, parseProxy } from './proxy-tunnel.ts'
import { meaningOf } from './socket-codes.ts'

let target: number

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

beforeEach(async () => {
  const server = createHttpServer((request, response) =>
    response.end(JSON.stringify(request.headers)),
  )
  onTestFinished(() => server.closeAllConnections())
  target = await portOf(server)
})
function join(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one)
  for (const socket of [one, other]) {
    socket.on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
  }
}

/** An HTTP proxy that notes what it is asked for; every name leads to the target. */
async function httpProxy(status = 200) {
  const asked: { authority: string | undefined; authorization: string | undefined }[] = []
  const server = createHttpServer((_request, response) => response.writeHead(status).end())
  server.on('connect', (request, socket: Socket) => {
    const authorization = request.headers['proxy-authorization']
    asked.push({ authority: request.url, authorization })
    socket.write(`HTTP/1.1 ${status} Whatever\r\n\r\n`)
    if (status === 200) join(socket, connect(target, '127.0.0.1'))
    else socket.end()
  })
  return { port: await portOf(server), asked }
}

/** A SOCKS5 proxy for one user (RFC 1928, RFC 1929), which notes the names it is asked for. */
async function socksProxy() {
  const asked: { host: string; login: string }[] = []
  const server = createServer((socket) => {
    void (async () => {
      await once(socket, 'data')
      socket.write(Buffer.from([5, 2]))
      const [login] = (await once(socket, 'data')) as [Buffer]
      socket.write(Buffer.from([1, 0]))
      const [command] = (await once(socket, 'data')) as [Buffer]
      const name =
        command[3] === 3
          ? command.subarray(5, 5 + (command[4] ?? 0)).toString()
          : command.subarray(4, 8).join('.')
      asked.push({ host: name, login: login.toString('latin1').replace(/[^a-z]/g, ' ') })
      socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]))
      join(socket, connect(target, '127.0.0.1'))
    })()
  })
  return { port: await portOf(server), asked }
}

function clientWith(resolve?: () => Promise<{ address: string; family: number }[]>) {
  const client = createHttpClient({
    ssrfAllow: [],
    ...(resolve === undefined ? {} : { resolve }),
  })
  onTestFinished(() => client.close())
  return client
}

const get = (host: string) => ({ method: 'GET', url: `http://${host}/`, headers: {} })

describe('going through a proxy', () => {
  it('names an admin host to an HTTP proxy, with credentials for the proxy only', async () => {
    const proxy = await httpProxy()
    const { body } = await clientWith().json(get('only-the-proxy-knows.test:81'), {
      proxy: `http://us%20er:p%40ss@127.0.0.1:${proxy.port}`,
    })
    expect(proxy.asked).toEqual([
      {
        authority: 'only-the-proxy-knows.test:81',
        authorization: `Basic ${Buffer.from('us er:p@ss').toString('base64')}`,
      },
    ])
    expect(body).toMatchObject({ host: 'only-the-proxy-knows.test:81' })
    expect(body).not.toHaveProperty('proxy-authorization')
  })

  it('names an admin host to a SOCKS5 proxy', async () => {
    const proxy = await socksProxy()
    const options = { proxy: `socks5://user:pass@127.0.0.1:${proxy.port}` }
    expect((await clientWith().json(get('far.test'), options)).status).toBe(200)
    expect(proxy.asked).toEqual([{ host: 'far.test', login: '  user pass' }])
  })

  it('gives the proxy the judged address of a host that a user named', async () => {
    const proxy = await httpProxy()
    const socks = await socksProxy()
    const client = clientWith(async () => [{ address: '8.8.8.8', family: 4 }])
    const http = { proxy: `http://127.0.0.1:${proxy.port}`, trust: 'user' as const }
    expect((await client.json(get('shown.test'), http)).status).toBe(200)
    expect(proxy.asked[0]?.authority).toBe('8.8.8.8:80')
    const over = { proxy: `socks5://u:p@127.0.0.1:${socks.port}`, trust: 'user' as const }
    expect((await client.json(get('shown.test'), over)).status).toBe(200)
    expect(socks.asked[0]?.host).toBe('8.8.8.8')
  })

  it('does not carry a closed address to the proxy', async () => {
    const proxy = await httpProxy()
    const client = clientWith(async () => [{ address: '10.0.0.1', family: 4 }])
    const options = { proxy: `http://127.0.0.1:${proxy.port}`, trust: 'user' as const }
    await expect(client.json(get('inner.test'), options)).rejects.toMatchObject({
      code: 'net.forbidden_address',
    })
    await expect(
      client.json(get('169.254.169.254'), { proxy: options.proxy }),
    ).rejects.toMatchObject({ code: 'net.forbidden_address' })
    expect(proxy.asked).toEqual([])
  })

  it('says that the proxy refused, and with which status', async () => {
    const proxy = await httpProxy(407)
    await expect(
      clientWith().json(get('far.test'), { proxy: `http://127.0.0.1:${proxy.port}` }),
    ).rejects.toMatchObject({
      code: 'net.unreachable',
      values: { reason: meaningOf('PROXY_407'), phase: 'connect' },
    })
  })

  it('says of a proxy that is not there that it is the proxy', async () => {
    for (const proxy of ['http://127.0.0.1:1', 'socks5://127.0.0.1:1']) {
      await expect(clientWith().json(get('far.test'), { proxy })).rejects.toMatchObject({
        code: 'net.unreachable',
        values: {
          reason: { en: 'PROXY_ECONNREFUSED: of the proxy, nothing listens at its address' },
        },
      })
    }
  })

  it('takes a password as it is typed, also with a bare percent sign', () => {
    const { username, password } = parseProxy('http://user%40home:50%off@proxy.test')
    expect([username, password]).toEqual(['user@home', '50%off'])
  })

  it('refuses a proxy address it cannot use without telling its password', () => {
    for (const text of ['ftp://user:secret@proxy.test', 'proxy.test:80', 'user:secret']) {
      expect(() => parseProxy(text)).toThrow(
        expect.objectContaining({ code: 'net.invalid_proxy', values: {} }),
      )
      expect(isProxyAddress(text)).toBe(false)
    }
    expect(isProxyAddress('socks5h://127.0.0.1:1080')).toBe(true)
  })
})
