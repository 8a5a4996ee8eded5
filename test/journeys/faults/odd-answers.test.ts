// Answers of upstreams that are odd or broken in their form: what can be read is read, what cannot is the upstream's fault and another channel's turn.
import { deflateRawSync, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { balanceOf, consumptionRows, errorRows } from '#test'
import { chunk, completion, lastChunks } from '../../harness/chat-chunks.ts'
import { relayRoom } from '../../harness/relay-room.ts'
import { writeEvents } from '../../harness/scripted-upstream.ts'

const balance = 1_000_000
const usage = { prompt_tokens: 10, completion_tokens: 5 }
const room = relayRoom({
  channels: [{ models: 'm' }, { models: 'g', type: 24 }],
  priced: ['m', 'g'],
  customer: 'caller',
  balance,
  isAnew: true,
  env: { STREAMING_TIMEOUT: '2', RELAY_TIMEOUT: '10' },
})

const ask = (model: string, isStream: boolean) =>
  room.post('/v1/chat/completions', {
    model,
    stream: isStream,
    messages: [{ role: 'user', content: 'Hi' }],
  })

const failures = () => errorRows(room.app.root, room.customer.username)

const whole = JSON.stringify(completion('one two three', usage))
const stream = [chunk('one two three'), ...lastChunks(usage)]
  .map((event) => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`))
  .join('')

async function expectPaid(): Promise<void> {
  const rows = await consumptionRows(room.app.root, room.customer.username)
  expect(rows.map(({ quota }) => quota)).toEqual([15])
  expect(await balanceOf(room.customer)).toBe(balance - 15)
}

describe('an answer', () => {
  it.each([
    ['Text/Event-Stream; Charset=UTF-8', stream, true],
    ['Text/Event-Stream', stream, false],
    ['Application/JSON', whole, true],
    ['Application/JSON', whole, false],
  ])('of the type %s is what its type says', async (type, body, isStream) => {
    room.upstream.behave((response) => {
      response.writeHead(200, { 'content-type': type }).end(body)
    })
    const answer = await ask('m', isStream)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('one two three')
    await expectPaid()
  })

  it.each(['text/plain', 'application/json', 'application/octet-stream', undefined])(
    'of the type %s is a stream where its bytes are events',
    async (type) => {
      room.upstream.behave((response) => {
        if (type) response.setHeader('content-type', type)
        response.end(stream)
      })
      for (const isStream of [true, false]) {
        const answer = await ask('m', isStream)
        expect(answer.status).toBe(200)
        const isEvents = answer.headers.get('content-type')?.startsWith('text/event-stream')
        expect(isEvents).toBe(isStream)
        expect(await answer.text()).toContain('one two three')
      }
      const rows = await consumptionRows(room.app.root, room.customer.username)
      expect(rows.map(({ quota }) => quota)).toEqual([15, 15])
    },
  )

  it('of plain text that is no stream stays a fault of the upstream', async () => {
    room.upstream.behave((response) => {
      response
        .writeHead(200, { 'content-type': 'text/plain' })
        .end('upstream of inner-host is full')
    })
    for (const isStream of [true, false]) {
      const answer = await ask('m', isStream)
      expect(answer.status).toBe(502)
      expect(await answer.json()).toMatchObject({ error: { code: 'bad_response_body' } })
    }
    expect(await balanceOf(room.customer)).toBe(balance)
  })

  it.each([
    ['a whole one', 'application/json', deflateSync(whole), false],
    ['a whole one without the head of zlib', 'application/json', deflateRawSync(whole), false],
    ['a stream', 'text/event-stream', deflateSync(stream), true],
  ])(
    'that is packed ends with its archive, whatever follows: %s',
    async (_, type, body, isStream) => {
      room.upstream.behave((response) => {
        response.writeHead(200, { 'content-type': type, 'content-encoding': 'deflate' })
        response.end(Buffer.concat([body, Buffer.from('more')]))
      })
      const answer = await ask('m', isStream)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('one two three')
      await expectPaid()
    },
  )
})

describe('a list that breaks off in a stream of Gemini', () => {
  it('is a fault of the upstream where it comes first', async () => {
    room.upstream.behave((response) => {
      writeEvents(response, ['data: [{"candidates"\n\n'])
      response.end()
    })
    const answer = await ask('g', true)
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ error: { code: 'bad_response_body' } })
    await expect.poll(failures).toHaveLength(1)
    expect(await balanceOf(room.customer)).toBe(balance)
  })

  it('is one after the first words', async () => {
    room.upstream.behave((response) => {
      const candidate = { index: 0, content: { role: 'model', parts: [{ text: 'one two' }] } }
      writeEvents(response, [{ candidates: [candidate] }, 'data: [{"candidates"\n\n'])
      response.end()
    })
    const text = await (await ask('g', true)).text()
    expect(text).toContain('one two')
    expect(text).toContain('bad_response_body')
    await expect.poll(failures).toHaveLength(1)
  })
})
