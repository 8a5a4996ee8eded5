// Upstreams that quote what they were sent, credentials and all, whatever the surface: no key and no header of a channel gets into the database, the process log or an answer.
import { readdirSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  setPrice,
  startApp,
  writeEvents,
} from '#test'

/** Nothing that any known kind of key looks like, and with signs that every encoding spells in its own way. */
const key = 'vq8/Hx+Key=9&plain"word'
const secondKey = 'zz-second/key+of=the"same'
/** In a header of the channel. */
const ofHeader = 'yy-third/word+at=a"door'

const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
]

/** As Basic credentials, with names of every length modulo three. */
const basics = (secret: string): string[] =>
  ['', 'a', 'ab', 'api:'].map((name) => Buffer.from(name + secret).toString('base64'))

/** What must be found nowhere: of base64 that what no neighbour changes. */
const traces = (secret: string): string[] => [
  ...spellings(secret),
  ...basics(secret).map((text) => text.slice(8, -4)),
]

describe('keys that an upstream quotes', () => {
  let app: App
  let customer: Customer
  let answers = ''
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const isPoll = request.url === '/suno/fetch'
      const sent = JSON.parse(body.toString() || '{}') as { ids?: string[]; model?: string }
      if (sent.model === 'for-late-error') return answerLate(response)
      const isTaken = request.url === '/suno/submit/music'
      response.writeHead(isPoll || isTaken ? 200 : 401, { 'content-type': 'application/json' })
      const polled = quoted([secondKey, ofHeader])
      const task = {
        task_id: sent.ids?.[0],
        status: 'FAILURE',
        fail_reason: polled,
        data: [polled],
      }
      // A list of models is asked for with a key that is not saved yet.
      const others = request.url === '/v1/models' ? [] : undefined
      const error = {
        message: quoted(others),
        code: key,
        type: 'invalid_request_error',
        param: key,
      }
      const data = isTaken ? 'song-1' : [task]
      return response.end(JSON.stringify(isPoll || isTaken ? { code: 'success', data } : { error }))
    })
  })
  /** An answer that begins well and breaks off. */
  const answerLate = (response: ServerResponse) => {
    const choices = [{ index: 0, delta: { role: 'assistant', content: 'Well' } }]
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices }
    writeEvents(response, [chunk, { error: { message: quoted(), code: key } }])
    return response.end()
  }
  const sockets = new WebSocketServer({ server })

  const ownKey = () => customer.key.slice(3)
  /** Every form, among words and alone; the customer's own key as well. */
  const quoted = (others = [secondKey, ofHeader, ownKey()]) =>
    [key, ...others]
      .flatMap((secret) => [
        ...spellings(secret),
        ...basics(secret),
        JSON.stringify({ authorization: secret }),
      ])
      .join(' , ')

  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    sockets.on('connection', (socket) => {
      socket.send(JSON.stringify({ type: 'session.created', session: { id: 's' } }))
      socket.send(JSON.stringify({ type: 'error', error: { message: quoted(), code: key } }))
      socket.close(4000, key)
    })
    app = await startApp({ env: { TASK_POLL_SECONDS: '1' } })
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const setting = JSON.stringify({ multi_key: true, headers: `X-Door: ${ofHeader}` })
    const channel = { base_url, key: `${key}\n${secondKey}`, setting }
    for (const models of [
      'for-chat',
      'for-embedding',
      'for-realtime',
      'for-test',
      'for-late-error',
    ]) {
      await addChannel(app.root, { ...channel, models })
      await setPrice(app.root, models, 1)
    }
    await addChannel(app.root, { ...channel, models: 'suno_music,suno_lyrics', type: 36 })
    await app.root.put('/api/option/', { key: 'AutomaticDisableChannelEnabled', value: 'true' })
    customer = await addCustomer(app.root, 'ada', 1_000_000)
  })

  afterAll(async () => {
    await app.close()
    sockets.close()
    server.close()
  })

  const post = async (path: string, body: object) => {
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    answers += await response.text()
    return response.status
  }

  it('are in no answer, no row and no line of the log', async () => {
    const messages = [{ role: 'user', content: 'hi' }]
    expect(await post('/v1/chat/completions', { model: 'for-chat', messages })).toBe(401)
    expect(await post('/v1/chat/completions', { model: 'for-chat', messages, stream: true })).toBe(
      401,
    )
    expect(await post('/v1/embeddings', { model: 'for-embedding', input: 'hi' })).toBe(401)
    const late = { model: 'for-late-error', max_tokens: 9, messages, stream: true }
    for (const path of ['/v1/chat/completions', '/v1/messages'])
      expect(await post(path, late)).toBe(200)
    expect(answers).toContain('Well')
    expect(await post('/suno/submit/music', { prompt: 'hi' })).toBe(200)
    expect(await post('/suno/submit/lyrics', { prompt: 'hi' })).toBe(401)
    await expect
      .poll(async () => JSON.stringify((await app.root.call('GET', '/api/task/?p=1')).body))
      .not.toContain('SUBMITTED')
    await talk()
    const channels = await app.root.get<{ id: number; models: string }[]>('/api/channel/?p=0')
    const tested = channels.find(({ models }) => models === 'for-test')
    const test = await app.root.call('GET', `/api/channel/test/${tested?.id}`)
    const models = await app.root.call('POST', '/api/channel/fetch_models', {
      type: 1,
      base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      key,
    })
    expect([test.success, models.success]).toEqual([false, false])
    for (const path of ['/api/log/?p=0&page_size=50', '/api/channel/?p=0', '/api/task/?p=1'])
      answers += JSON.stringify((await app.root.call('GET', path)).body)
    answers += JSON.stringify([test.body, models.body])
    await app.process.stop()
    for (const [place, text] of Object.entries({ answers, log: app.process.log(), ...stored() })) {
      for (const secret of [key, secondKey, ofHeader, ownKey()])
        for (const form of traces(secret)) {
          const at = text.indexOf(form)
          const around = text.slice(Math.max(0, at - 80), at + 80)
          expect(at, `${place} holds ${form}: ${around}`).toBe(-1)
        }
    }
    expect(answers).toContain('***')
    expect(Object.values(stored()).join('')).toContain('***')
  })

  async function talk(): Promise<void> {
    const url = `${app.url.replace('http', 'ws')}/v1/realtime?model=for-realtime`
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${customer.key}` } })
    socket.on('message', (data: Buffer) => (answers += data.toString()))
    const [, reason] = (await once(socket, 'close')) as [number, Buffer]
    answers += reason.toString()
  }

  /** The files of the database, as bytes. */
  function stored(): Record<string, string> {
    const names = readdirSync(app.dataDir).filter((name) => /\.(db|sqlite)/.test(name))
    expect(names.length).toBeGreaterThan(0)
    return Object.fromEntries(
      names.map((name) => [name, readFileSync(join(app.dataDir, name), 'latin1')]),
    )
  }
})
