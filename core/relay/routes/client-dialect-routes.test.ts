// A client API that a plugin brings, through a whole gateway: test/samples/plain-speech.
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#core'
import { relayRoom, sendJson, writeEvents } from '#test'
import { echo } from '../../../test/harness/upstreams/echo-upstream.ts'

const samples = fileURLToPath(new URL('../../../test/samples', import.meta.url))
const models = ['m-chat', 'm-claude', 'm-gem', 'm-user']

const room = relayRoom({
  env: { PLUGIN_DIRS: samples },
  plugins: ['plain-speech', 'name-mask', 'answer-store'],
  channels: [
    { models: 'm-chat,m-user' },
    { models: 'm-claude', type: 14 },
    { models: 'm-gem', type: 24 },
  ],
  priced: models,
  customer: 'speaker',
})

beforeEach(() => {
  room.upstream.calls.length = 0
  room.upstream.behave(echo({ isPlain: true }))
})

const say = (body: JsonObject, path = '/plain-speech/say') => room.post(path, body)
const lines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { said?: string; over?: boolean; wrong?: string })

describe('a client API of a plugin', () => {
  it.each(['m-chat', 'm-claude', 'm-gem'])('is answered by %s, whole and streamed', async (to) => {
    const whole = await say({ to, say: 'Hello there', limit: 50 })
    expect(await whole.json()).toEqual({ said: 'Hello there', tokens: 60 })
    expect(await room.lastRow()).toMatchObject({ model_name: to, quota: 100 })
    const streamed = await say({ to, say: 'Hello there', aloud: true })
    expect(streamed.headers.get('content-type')).toBe('application/x-ndjson')
    const answer = lines(await streamed.text())
    expect(answer.map(({ said = '' }) => said).join('')).toBe('Hello there')
    expect(answer.at(-1)).toEqual({ over: true })
    expect(await room.lastRow()).toMatchObject({ prompt_tokens: 40, completion_tokens: 60 })
  })

  it('takes its model from the path, and its key from a header of its own', async () => {
    const response = await say({ say: 'Hi' }, '/plain-speech/to/m-chat')
    expect(await response.json()).toMatchObject({ said: 'Hi' })
    const url = `${room.app.url}/plain-speech/to/m-chat`
    const headers = { 'content-type': 'application/json', 'x-plain-key': room.customer.key }
    const keyed = await fetch(url, { method: 'POST', headers, body: '{"say":"Hi"}' })
    expect(keyed.status).toBe(200)
  })

  it('passes the hooks and caches that all calls pass', async () => {
    const name = 'Alice "A." Liddell'
    const masked = await say({ to: 'm-claude', say: `Tell ${name}`, aloud: true })
    expect(
      lines(await masked.text())
        .map(({ said = '' }) => said)
        .join(''),
    ).toBe(`Tell ${name}`)
    expect(room.upstream.calls[0]?.sent).not.toContain('Liddell')
    await (await say({ to: 'm-user', say: 'Once' })).text()
    await expect
      .poll(async () => (await say({ to: 'm-user', say: 'Once' })).headers.get('x-response-cache'))
      .toBe('hit')
  })

  it.each([
    [{ to: 'm-chat' }, 400, 'Say something'],
    [{ to: 'm-chat', say: '' }, 400, 'empty'],
    [{ to: '', say: 'Hi' }, 400, 'model is required'],
    [{ to: 'm-none', say: 'Hi' }, 404, 'does not exist'],
    [{ to: 'm-chat', say: 'Hi', limit: -1 }, 400, 'max'],
    [{ to: 'm-chat', say: 'break the dialect' }, 500, 'failed'],
  ])('refuses in its own words: %j', async (body, status, words) => {
    const response = await say(body)
    const answer = (await response.json()) as { wrong: string }
    expect([response.status, Object.keys(answer)]).toEqual([status, ['wrong', 'code']])
    expect(answer.wrong).toContain(words)
    expect(room.upstream.calls).toEqual([])
  })

  it('is closed without a key, and tells what an upstream refused', async () => {
    const nobody = await room.post(
      '/plain-speech/say',
      { to: 'm-chat', say: 'Hi' },
      { authorization: '' },
    )
    expect([nobody.status, Object.keys((await nobody.json()) as object)]).toEqual([
      401,
      ['wrong', 'code'],
    ])
    room.upstream.behave((response) => sendJson(response, { error: { message: 'Too odd.' } }, 400))
    const refused = await say({ to: 'm-chat', say: 'Hi' })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ wrong: expect.stringContaining('Too odd.') })
  })

  it('tells in the stream that an answer broke off', async () => {
    room.upstream.behave((response) => {
      const head = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm' }
      writeEvents(response, [{ ...head, choices: [{ index: 0, delta: { content: 'So' } }] }])
      response.end()
    })
    const answer = lines(await (await say({ to: 'm-chat', say: 'Hi', aloud: true })).text())
    expect(answer[0]).toEqual({ said: 'So' })
    expect(answer.at(-1)).toHaveProperty('wrong')
  })
})
