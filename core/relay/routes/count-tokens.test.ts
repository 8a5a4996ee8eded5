// Counting the tokens of a question for Anthropic's clients: the upstream's number where it tells one in time, else our own.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { addChannel, relayRoom, sendJson, setPrice } from '#test'

const room = relayRoom({
  env: { RELAY_TIMEOUT: '1' },
  channels: [{ models: 'c', type: 14 }],
  priced: ['c'],
  customer: 'counter',
})

const question = { model: 'c', messages: [{ role: 'user', content: 'one two three' }] }
const ask = () => room.post('/v1/messages/count_tokens', question)

afterEach(async () => {
  room.upstream.behave((response) => sendJson(response, { input_tokens: 31 }))
  expect(await (await ask()).json()).toEqual({ input_tokens: 31 })
})

describe('a count of tokens', () => {
  it('has all that the upstream tells with it', async () => {
    const sent = { input_tokens: 7, context_management: { original_input_tokens: 70_000 } }
    room.upstream.behave((response) => sendJson(response, sent))
    expect(await (await ask()).json()).toEqual(sent)
  })

  it.each([{ error: { message: 'busy' } }, []])('that is none is our own: %j', async (sent) => {
    room.upstream.behave((response) => sendJson(response, sent))
    expect(await (await ask()).json()).toEqual({ input_tokens: expect.any(Number) as number })
  })

  it.each([-3, 0, 1e300, '14', null])('that cannot be is our own: %j', async (input_tokens) => {
    room.upstream.behave((response) => sendJson(response, { input_tokens }))
    const { input_tokens: counted } = (await (await ask()).json()) as { input_tokens: number }
    expect(counted).toBeGreaterThan(2)
    expect(counted).toBeLessThan(30)
  })

  it('holds the instructions that the channel adds, counted there or here', async () => {
    const { root } = room.app
    const setting = JSON.stringify({ system_prompt: 'Answer in verse, always and everywhere.' })
    const fields = { type: 14, base_url: room.upstream.url, models: 'poet', setting }
    await addChannel(root, fields)
    await setPrice(root, 'poet', 1)
    const askPoet = async () => {
      const asked = { ...question, model: 'poet' }
      const answer = await room.post('/v1/messages/count_tokens', asked)
      return ((await answer.json()) as { input_tokens: number }).input_tokens
    }
    expect(await askPoet()).toBe(31)
    expect(JSON.stringify(room.upstream.calls.at(-1)?.body)).toContain('Answer in verse')
    room.upstream.behave((response) => sendJson(response, {}))
    const plain = (await (await ask()).json()) as { input_tokens: number }
    expect(await askPoet()).toBeGreaterThan(plain.input_tokens + 5)
  })

  it('is our own where the upstream says nothing in time, and the upstream is left', async () => {
    let upstream: ServerResponse | undefined
    room.upstream.behave((response) => void (upstream = response))
    const answer = await ask()
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ input_tokens: expect.any(Number) as number })
    if (upstream && !upstream.closed) await once(upstream, 'close')
    expect(upstream?.closed).toBe(true)
  })

  it('is not waited for when its client has left', async () => {
    const reached = Promise.withResolvers<ServerResponse>()
    room.upstream.behave((response) => reached.resolve(response))
    const leaving = new AbortController()
    const answer = fetch(`${room.app.url}/v1/messages/count_tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${room.customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(question),
      signal: leaving.signal,
    })
    const upstream = await reached.promise
    leaving.abort()
    await expect(answer).rejects.toThrow()
    if (!upstream.closed) await once(upstream, 'close')
  })
})
