import { once } from 'node:events'
import type { LookupAddress } from 'node:dns'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../contract/errors.ts'
import { createHttpClient } from '../../net/http-client.ts'
import { AnswerRoom, type AnswerShare } from './answer-room.ts'
import { fetchFile } from './fetch-file.ts'

type Share = Pick<AnswerShare, 'takeFile'>

const MIB = 1_048_576

const closers: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`
}

interface Means {
  share?: Share
  worker?: string
  resolve?: (hostname: string) => Promise<LookupAddress[]>
}

const logged: { host: string; err: Error }[] = []

function fetched(
  url: string,
  maxBytes: number,
  { share = { takeFile: () => undefined }, worker = '', resolve }: Means = {},
) {
  const http = createHttpClient({ ssrfAllow: ['127.0.0.1/32'], ...(resolve ? { resolve } : {}) })
  closers.push(() => http.close())
  const options = { get: <T>(key: string) => (key === 'WorkerUrl' ? worker : '') as T }
  const { signal } = new AbortController()
  const log = { info: (fields: { host: string; err: Error }) => void logged.push(fields) }
  return fetchFile(url, { http, options, maxBytes, signal, log, requestId: '', share })
}

/** Sends bytes until the other side closes the connection. */
function endless(status: number, onRequest: (request: IncomingMessage) => void): RequestListener {
  return (request, response) => {
    onRequest(request)
    response.writeHead(status, { 'content-type': 'text/plain' })
    const more = () => {
      while (response.write('x'.repeat(65_536)));
      response.once('drain', more)
    }
    more()
  }
}

describe('a file that a request names by URL', () => {
  it('is read with its type', async () => {
    const url = await serve((_request, response) => {
      response.setHeader('content-type', 'Image/PNG; a=b')
      response.end('bytes')
    })
    expect(await fetched(url, 100)).toEqual({ mediaType: 'image/png', data: Buffer.from('bytes') })
  })

  it('is asked for at the address of the worker, with a slash behind it as notices are', async () => {
    const asked = Promise.withResolvers<string | undefined>()
    const worker = await serve((request, response) => {
      asked.resolve(request.url)
      response.end('bytes')
    })
    await fetched('https://files.example/a.png', 100, { worker })
    expect(await asked.promise).toBe('/file/')
  })

  it('leaves the connection of an error whose body never comes', async () => {
    const closed = Promise.withResolvers<void>()
    const url = await serve(({ socket }, response) => {
      socket.once('close', closed.resolve)
      response.writeHead(404).flushHeaders()
    })
    await expect(fetched(url, 100)).rejects.toThrow('its server answered 404')
    await closed.promise
  })

  it.each([
    { what: 'an error without end', status: 404, reason: 'its server answered 404' },
    { what: 'a file without end', status: 200, reason: 'it is larger than 1 MiB' },
  ])('leaves the connection of $what', async ({ status, reason }) => {
    const closed = Promise.withResolvers<void>()
    const url = await serve(endless(status, ({ socket }) => socket.once('close', closed.resolve)))
    await expect(fetched(url, 1_048_576)).rejects.toThrow(reason)
    await closed.promise
  })

  it('is told of in both languages, with the reason', async () => {
    const url = await serve((_request, response) => void response.destroy())
    const error = await fetched(url, 100).catch((cause: unknown) => cause)
    if (!(error instanceof AppError)) throw new Error('no refusal')
    expect(error.messageIn('en')).toMatch(/its server could not be reached \(.+\)\.$/)
    expect(error.messageIn('zh')).toMatch(
      /^无法读取请求中以 URL 指定的文件：无法连接其服务器（.+）。$/,
    )
    expect(error.messageIn('zh')).not.toMatch(/could not|upstream/)
  })

  it.each([
    ['http://127.0.0.1:1/', /could not be reached \(ECONNREFUSED: nothing listens/],
    ['ftp://example.com/a.png', /URL is not usable/],
  ])('names what is wrong with %s', async (url, reason) => {
    await expect(fetched(url, 100)).rejects.toThrow(reason)
  })

  it('does not tell which names the network of the gateway knows, but logs it', async () => {
    const inside = new Map([['inside.example', [{ address: '10.0.0.1', family: 4 }]]])
    const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))
    const resolve = (name: string) => {
      const [code] = /^E[A-Z_]+/.exec(name.toUpperCase().replace('-', '_')) ?? ['ENOTFOUND']
      const found = inside.get(name)
      return found ? Promise.resolve(found) : failing(code)
    }
    const names = ['inside.example', 'nowhere.example', 'eai-again.example', 'eservfail.example']
    const told = new Set<string>()
    logged.length = 0
    for (const name of names) {
      const error = await fetched(`http://${name}/a.png?key=1`, 100, { resolve }).catch(
        (cause: unknown) => cause,
      )
      if (!(error instanceof AppError)) throw new Error('no refusal')
      told.add(`${error.messageIn('en')} ${error.messageIn('zh')}`)
    }
    expect([...told]).toEqual([expect.stringContaining('its address is unknown or not allowed.')])
    expect(logged.map(({ host }) => host)).toEqual(names)
    expect(logged.map(({ err }) => (err as AppError).code).slice(0, 2)).toEqual([
      'net.forbidden_address',
      'net.unreachable',
    ])
  })

  it('is not called an answer where it does not fit beside the other files of its call', async () => {
    const share = new AnswerRoom(MIB).open()
    share.take(2 * MIB)
    const url = await serve((_request, response) => void response.end('x'))
    await expect(fetched(url, 100, { share })).rejects.toMatchObject({
      code: 'request.unreachable_file',
      message: expect.stringContaining('together, the files of the call are too large'),
    })
  })

  it('is given up where it has not come whole in two minutes, however often a byte of it comes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    closers.push(() => void vi.useRealTimers())
    const closed = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const url = await serve(({ socket }, response) => {
      socket.once('close', closed.resolve)
      response.write('x')
      begun.resolve()
    })
    const file = fetched(url, 100)
    const late = expect(file).rejects.toThrow('it did not come within 120 s')
    await begun.promise
    vi.advanceTimersByTime(120_000)
    await late
    await closed.promise
  })
})
