import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { split } from './canned-response.ts'
import { CountingScript, ExchangeScript } from './exchange-script.ts'
import type { CannedResponse, Exchange } from './fixture.ts'
import { writeMultipart } from './form-body.ts'
import { MockUpstream } from './mock-upstream.ts'

let mock: MockUpstream
beforeEach(async () => {
  mock = await MockUpstream.start()
})
afterEach(() => mock.close())

function exchange(path: string, respond: CannedResponse = {}, more: object = {}): Exchange {
  return { expect: { method: 'POST', path, ...more }, respond }
}

function follow(exchanges: Exchange[], background: Exchange[] = []): ExchangeScript {
  const script = new ExchangeScript(background)
  script.beginStep(exchanges)
  mock.follow(script)
  return script
}

function post(path: string, body: unknown = {}): Promise<Response> {
  return fetch(mock.url + path, { method: 'POST', body: JSON.stringify(body) })
}

describe('the order of exchanges', () => {
  it('answers a list in its order and refuses what comes out of it', async () => {
    const script = follow([exchange('/a', { bodyText: '1' }), exchange('/b', { bodyText: '2' })])
    expect((await post('/b')).status).toBe(500)
    expect(await (await post('/a')).text()).toBe('1')
    expect(await (await post('/b')).text()).toBe('2')
    script.endStep()
    expect(script.problems).toEqual(['unexpected upstream call POST /b, expected POST /a; body {}'])
  })

  it('passes over an optional exchange and misses one that is not', async () => {
    const script = follow([
      { ...exchange('/token'), optional: true },
      exchange('/a'),
      exchange('/b'),
    ])
    await post('/a')
    script.endStep()
    expect(script.problems).toEqual(['upstream was never called: POST /b'])
  })

  it('compares paths after decoding them once', async () => {
    const script = follow([exchange('/m/a:b%2Fc', { status: 204 })])
    expect((await post('/m/a%3Ab%2Fc')).status).toBe(204)
    expect(script.problems).toEqual([])
  })

  it('names query, header and form faults', async () => {
    const expectation = {
      query: { v: '1' },
      queryAbsent: ['key'],
      headersAbsent: ['X-Secret'],
      headers: { 'X-Kind': { $regex: '^a' } },
      bodyForm: { model: 'm', file: 'a.wav' },
    }
    const script = follow([exchange('/f', {}, expectation)])
    const form = writeMultipart([
      { name: 'model', value: 'n' },
      { name: 'file', filename: 'a.wav', contentType: 'audio/wav', base64: 'AAEC' },
    ])
    const headers = { 'content-type': form.contentType, 'x-secret': 's', 'x-kind': 'b' }
    await fetch(`${mock.url}/f?v=2&key=k`, {
      method: 'POST',
      headers,
      body: new Uint8Array(form.body),
    })
    expect(script.problems.map((text) => text.replace('upstream POST /f: ', ''))).toEqual([
      'query /v expected "1", got "2"',
      'query key must be absent',
      'header /x-kind does not match /^a/u: "b"',
      'header x-secret must be absent',
      'form /model expected "m", got "n"',
    ])
  })
})

describe('background exchanges', () => {
  const poll = (ids: string[], text: string, repeat = false): Exchange => ({
    ...exchange('/poll', { bodyText: text }, { bodySubset: { ids } }),
    repeat,
  })

  it('answers polls in turn, the same poll again alike, and notes what never came', async () => {
    const script = follow([], [poll(['1'], 'first'), poll(['1'], 'second'), poll(['2'], 'other')])
    const texts: string[] = []
    for (let round = 0; round < 3; round++) {
      texts.push(await (await post('/poll', { ids: ['1'] })).text())
    }
    expect(texts).toEqual(['first', 'second', 'second'])
    expect(script.hasOpenBackground).toBe(true)
    script.endBackground()
    expect(script.problems).toEqual(['the background call never came: POST /poll'])
  })

  it('never uses up an exchange with repeat and refuses a poll that nothing matches', async () => {
    const script = follow([], [poll(['1'], 'again', true)])
    for (let round = 0; round < 2; round++) {
      expect(await (await post('/poll', { ids: ['1'] })).text()).toBe('again')
    }
    expect((await post('/poll', { ids: ['9'] })).status).toBe(500)
    script.endBackground()
    expect(script.problems).toHaveLength(1)
  })
})

describe('how a body is sent', () => {
  it('cuts a body at the given bytes, inside a character too', () => {
    const pieces = split(Buffer.from('aäb'), { splitAt: [2] })
    expect(pieces.map((piece) => piece.toString('hex'))).toEqual(['61c3', 'a462'])
    expect(split(Buffer.from('abcdef'), { splitEvery: 3 }).map(String)).toEqual(['abc', 'def'])
    expect(split(Buffer.alloc(0), {})).toEqual([])
  })

  it('breaks the connection after the last piece of an aborted answer', async () => {
    follow([exchange('/a', { bodyText: 'data: 1\n\n', abort: true })])
    const received = await new Promise<{ text: string; isCut: boolean }>((resolve) => {
      let text = ''
      request(`${mock.url}/a`, { method: 'POST' }, (response) => {
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('error', () => resolve({ text, isCut: true }))
        response.on('end', () => resolve({ text, isCut: false }))
      }).end()
    })
    expect(received).toEqual({ text: 'data: 1\n\n', isCut: true })
  })

  it('states the length of a whole answer', async () => {
    follow([exchange('/a', { bodyJson: { a: 1 } })])
    expect((await post('/a')).headers.get('content-length')).toBe('7')
  })
})

describe('WebSocket exchanges', () => {
  const upgrade = (respond: CannedResponse): Exchange => ({
    expect: { method: 'GET', path: '/chat' },
    respond,
  })

  function converse(message: object): Promise<{ received: string[]; code: number }> {
    const socket = new WebSocket(`${mock.url.replace('http', 'ws')}/chat`)
    const received: string[] = []
    socket.on('open', () => socket.send(JSON.stringify(message)))
    socket.on('message', (data: Buffer) => received.push(data.toString()))
    return new Promise((resolve) => socket.on('close', (code) => resolve({ received, code })))
  }

  it('reads the expected messages, then sends its own and closes', async () => {
    const play = { expectMessages: [{ a: 1 }], sendMessages: [{ b: 1 }, { b: 2 }], closeCode: 1000 }
    const script = follow([upgrade({ websocket: play })])
    expect(await converse({ a: 1 })).toEqual({ received: ['{"b":1}', '{"b":2}'], code: 1000 })
    expect(script.problems).toEqual([])
  })

  it('notes a message that differs and breaks the socket for code 1006', async () => {
    const play = { expectMessages: [{ a: 1 }], sendMessages: [{ b: 1 }], closeCode: 1006 }
    const script = follow([upgrade({ websocket: play })])
    expect(await converse({ a: 2 })).toEqual({ received: ['{"b":1}'], code: 1006 })
    expect(script.problems).toEqual(['WebSocket message 0: /a expected 1, got 2'])
  })

  it('refuses a handshake with the status and body of the fixture', async () => {
    follow([upgrade({ status: 401, bodyJson: { message: 'no' } })])
    const socket = new WebSocket(`${mock.url.replace('http', 'ws')}/chat`)
    const status = await new Promise((resolve) => {
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode))
    })
    expect(status).toBe(401)
  })
})

describe('counting calls for the check of retryable', () => {
  it('counts only the calls that match the last exchange, round after round', async () => {
    const script = new CountingScript([exchange('/token'), exchange('/a')])
    mock.follow(script)
    for (const path of ['/token', '/a', '/token', '/a']) await post(path)
    expect(script.lastExchangeCalls).toBe(2)
  })
})
