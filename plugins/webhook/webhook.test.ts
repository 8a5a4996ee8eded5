import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../core/net/http-client.ts'
import { headersOf, sendWebhook } from './send-webhook.ts'

interface Call {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

let server: Server
let url: string
let calls: Call[]
let status: number
const http = createHttpClient({ ssrfAllow: ['127.0.0.0/8'] })
const guarded = createHttpClient({ ssrfAllow: [] })

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      calls.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

beforeEach(() => {
  calls = []
  status = 200
})

afterAll(async () => {
  await http.close()
  await guarded.close()
  server.close()
})

const optionsWith = (values: Record<string, string>) => ({
  options: { get: (key: string) => values[key] ?? '' } as never,
})
const message = (to: object) => ({
  to: { userId: 7, ...to },
  language: 'en' as const,
  kind: 'quota_exceed',
  title: 'T',
  content: 'left {{value}}',
  values: ['$0.99'],
})

describe('a notice by webhook', () => {
  it('carries type, title, content with its placeholders, values and time', async () => {
    const to = { webhookUrl: `${url}/hook`, webhookSecret: 'whsec' }
    await sendWebhook({ http, ...optionsWith({}) }, message(to), 1_700_000_000)
    const [call] = calls
    expect(call?.body).toBe(
      '{"type":"quota_exceed","title":"T","content":"left {{value}}","values":["$0.99"],"timestamp":1700000000}',
    )
    expect(call?.headers).toMatchObject({
      authorization: 'Bearer whsec',
      'x-webhook-signature': '9f5f662fb3c83239e21794f7278c0055c5147182657acb5f1499e1312c86d8bd',
      'content-type': 'application/json',
    })
  })

  it('says nothing of a secret where none is set', () => {
    expect(headersOf('{}', undefined)).toEqual({ 'content-type': 'application/json' })
  })

  it('is not delivered to addresses inside, which users must not reach', async () => {
    const to = { webhookUrl: url }
    await expect(sendWebhook({ http: guarded, ...optionsWith({}) }, message(to))).rejects.toThrow()
    expect(calls).toEqual([])
  })

  it('leaves the connection of an answer that does not end', async () => {
    const closed = Promise.withResolvers<void>()
    const receiver = createServer(({ socket }, response) => {
      socket.once('close', closed.resolve)
      response.write('thanks')
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const to = { webhookUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` }
    const started = performance.now()
    await sendWebhook({ http, ...optionsWith({}) }, message(to))
    await closed.promise
    // The limit of a delivery is five seconds.
    expect(performance.now() - started).toBeLessThan(4_000)
    receiver.close()
  })

  it('counts as undelivered when the receiver refuses it', async () => {
    status = 500
    const to = { webhookUrl: url }
    const sending = sendWebhook({ http, ...optionsWith({}) }, message(to))
    await expect(sending).rejects.toThrow('500')
  })

  it('goes by way of the worker, https only', async () => {
    const worker = optionsWith({ WorkerUrl: url, WorkerValidKey: 'k' })
    const to = { webhookUrl: 'https://user.test/hook', webhookSecret: 's' }
    await sendWebhook({ http, ...worker }, message(to), 1)
    expect(calls[0]?.path).toBe('/')
    expect(JSON.parse(calls[0]?.body ?? '')).toMatchObject({
      url: 'https://user.test/hook',
      key: 'k',
      method: 'POST',
      headers: { authorization: 'Bearer s' },
      body: { type: 'quota_exceed', timestamp: 1 },
    })
    const plain = { webhookUrl: 'http://user.test/hook' }
    await expect(sendWebhook({ http, ...worker }, message(plain))).rejects.toThrow('https')
  })
})
