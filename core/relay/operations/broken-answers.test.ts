// Calls that are no chat, whose upstream sends a page, a JSON text without its type, or breaks off: what the client reads, and what it costs.
import { describe, expect, it } from 'vitest'
import { balanceOf, relayRoom, sendJson } from '#test'

const balance = 1_000_000
const room = relayRoom({
  channels: [{ models: 'm' }],
  priced: ['m'],
  customer: 'reader',
  balance,
  isAnew: true,
})

function sound(): FormData {
  const form = new FormData()
  form.set('model', 'm')
  form.set('file', new Blob([Buffer.alloc(64)]), 'a.wav')
  return form
}

function picture(): FormData {
  const form = new FormData()
  form.set('model', 'm')
  form.set('prompt', 'a cat')
  form.set('image', new Blob([Buffer.alloc(64)], { type: 'image/png' }), 'a.png')
  return form
}

const bodies: Readonly<Record<string, () => object>> = {
  embeddings: () => ({ model: 'm', input: 'Hi' }),
  moderations: () => ({ model: 'm', input: 'Hi' }),
  decisions: () => ({ model: 'm', input: 'Hi', questions: [{ instructions: 'Is it?' }] }),
  rerank: () => ({ model: 'm', query: 'Hi', documents: ['a', 'b'] }),
  'images/generations': () => ({ model: 'm', prompt: 'a cat' }),
  'images/edits': picture,
  'audio/speech': () => ({ model: 'm', voice: 'alloy', input: 'Hi' }),
  'audio/transcriptions': sound,
  'audio/translations': sound,
  completions: () => ({ model: 'm', prompt: 'Hi' }),
}

const ask = (path: string) => room.post(`/v1/${path}`, bodies[path]?.() ?? {})

describe('a page in the place of an answer', () => {
  it.each(Object.keys(bodies))('is shown to nobody and costs nothing: %s', async (path) => {
    room.upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>inner-host</html>')
    })
    const answer = await ask(path)
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ error: { code: 'bad_response_body' } })
    expect(await balanceOf(room.customer)).toBe(balance)
  })
})

describe('an answer that holds nothing of what was asked for', () => {
  const paths = [
    'embeddings',
    'moderations',
    'decisions',
    'rerank',
    'images/generations',
    'audio/speech',
    'audio/transcriptions',
    'audio/translations',
  ]
  it.each(
    paths.flatMap((path) => [`{"id":"x","model":"m"}`, '{}', ''].map((body) => [path, body])),
  )('is an error and costs nothing: %s, %j', async (path = '', body = '') => {
    room.upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    })
    const answer = await ask(path)
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ error: { code: 'bad_response_body' } })
    expect(await balanceOf(room.customer)).toBe(balance)
  })

  it.each(paths)('is an error also where it says so: %s', async (path) => {
    room.upstream.behave((response) =>
      sendJson(response, { error: { message: 'The engine is down', code: 'engine' } }),
    )
    const answer = await ask(path)
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ error: { code: 'engine' } })
    expect(await balanceOf(room.customer)).toBe(balance)
  })

  it('is an error where text comes in the place of speech', async () => {
    room.upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('no voice at inner-host')
    })
    const answer = await ask('audio/speech')
    expect(answer.status).toBe(502)
    expect(await balanceOf(room.customer)).toBe(balance)
  })
})

describe('an error that is not labelled as JSON', () => {
  const failure = JSON.stringify({ error: { message: 'The engine is down', code: 'engine' } })
  it.each([
    ['audio/speech', undefined],
    ['audio/speech', 'audio/mpeg'],
    ['audio/transcriptions', 'text/plain'],
    ['audio/translations', undefined],
  ])('is one and costs nothing: %s, %s', async (path, type) => {
    room.upstream.behave((response) => {
      response.writeHead(200, type === undefined ? {} : { 'content-type': type })
      // In pieces, so that its beginning comes alone.
      response.write(failure.slice(0, 3), () => response.end(failure.slice(3)))
    })
    const answer = await ask(path)
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ error: { code: 'engine' } })
    expect(await balanceOf(room.customer)).toBe(balance)
  })
})

describe('bytes that merely begin like JSON', () => {
  it.each(['{"a', '{} and other signs', '{ "a": 1 '])('are passed on: %j', async (text) => {
    room.upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end(text)
    })
    expect(await (await ask('audio/transcriptions')).text()).toBe(text)
    room.upstream.behave((response) => void response.end(text))
    expect(await (await ask('audio/speech')).text()).toBe(text)
  })
})

describe('a transcript', () => {
  it('of silence is one', async () => {
    room.upstream.behave((response) => sendJson(response, { text: '' }))
    expect(await (await ask('audio/transcriptions')).json()).toEqual({ text: '' })
  })
})

describe('a JSON answer without its type', () => {
  it('is read, and paid by its usage', async () => {
    const vector = { object: 'embedding', index: 0, embedding: [0.1] }
    const usage = { prompt_tokens: 40, total_tokens: 40 }
    room.upstream.behave((response) => {
      response.end(JSON.stringify({ object: 'list', data: [vector], usage }))
    })
    const answer = await ask('embeddings')
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(await answer.json()).toMatchObject({ data: [vector], usage })
    expect(await balanceOf(room.customer)).toBe(balance - 40)
  })

  it('is an error where it says so', async () => {
    room.upstream.behave((response) => {
      response.end(JSON.stringify({ error: { message: 'The engine is down', code: 'engine' } }))
    })
    const answer = await ask('embeddings')
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ error: { code: 'engine' } })
    expect(await balanceOf(room.customer)).toBe(balance)
  })
})

describe('speech that breaks off', () => {
  it('before anything of it has reached the client is an error and costs nothing', async () => {
    room.upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': 5_000 })
      response.write(Buffer.alloc(2_500), () => response.socket?.destroy())
    })
    const answer = await ask('audio/speech')
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ error: { code: 'do_request_failed' } })
    expect(await balanceOf(room.customer)).toBe(balance)
  })

  it('in its middle breaks off for the client and is paid', async () => {
    room.upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': 500_000 })
      const piece = Buffer.alloc(100_000)
      // So much never comes as one.
      response.write(Buffer.concat([piece, piece, piece]), () => response.socket?.destroy())
    })
    const answer = await ask('audio/speech')
    expect(answer.status).toBe(200)
    await expect(answer.arrayBuffer()).rejects.toThrow()
    const row = await room.lastRow()
    expect(JSON.parse(row.other)).toMatchObject({ end: 'upstream_cut' })
    expect(await balanceOf(room.customer)).toBe(balance - row.quota)
  })
})
