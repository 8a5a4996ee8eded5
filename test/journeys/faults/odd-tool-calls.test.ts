// Arguments of tools that are nested without end: what an upstream answers, and what a client tells of.
import { describe, expect, it } from 'vitest'
import { balanceOf, errorRows } from '#test'
import { relayRoom } from '../../harness/relay-room.ts'
import { sendJson } from '../../harness/scripted-upstream.ts'

const balance = 1_000_000
const usage = { prompt_tokens: 10, completion_tokens: 5 }
const room = relayRoom({
  channels: [
    { models: 'm' },
    { models: 'a', type: 14 },
    { models: 'g', type: 24 },
    { models: 'd', type: 43 },
  ],
  priced: ['m', 'a', 'g'],
  customer: 'caller',
  balance,
  isAnew: true,
})

const deep = `${'{"a":['.repeat(10_000)}1${']}'.repeat(10_000)}`
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: deep } }
const messages = [{ role: 'user', content: 'Hi' }]
const asks = {
  chat: (model: string, isStream: boolean) =>
    room.post('/v1/chat/completions', { model, stream: isStream, messages }),
  messages: (model: string, isStream: boolean) =>
    room.post('/v1/messages', { model, max_tokens: 50, stream: isStream, messages }),
  gemini: (model: string, isStream: boolean) =>
    room.post(
      `/v1beta/models/${model}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    ),
}

const failures = () => errorRows(room.app.root, room.customer.username)

function chatAnswer(more: readonly object[]): object {
  return { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices: more, usage }
}

/** Node 24 can read what is nested so deep and cannot write it: a fault of the upstream, free of charge. Later ones can do both. */
async function expectWholeOrFault(answer: Response, args: string): Promise<void> {
  const text = await answer.text()
  const isWhole = answer.status === 200
  if (isWhole) expect(text).toContain(args)
  else {
    expect(answer.status).toBe(502)
    expect(text).toContain('"error"')
  }
  await expect.poll(failures).toHaveLength(isWhole ? 0 : 1)
  const left = await balanceOf(room.customer)
  if (isWhole) expect(left).toBeLessThan(balance)
  else expect(left).toBe(balance)
}

describe('arguments that are nested without end', () => {
  it.each([
    ['messages', false],
    ['gemini', false],
    ['gemini', true],
  ] as const)(
    'are whole or a fault of the upstream for a client of %s, streamed: %s',
    async (ask, isStream) => {
      const message = { role: 'assistant', content: null, tool_calls: [call] }
      room.upstream.behave((response) =>
        sendJson(response, chatAnswer([{ index: 0, message, finish_reason: 'tool_calls' }])),
      )
      await expectWholeOrFault(await asks[ask]('m', isStream), deep)
    },
  )

  it.each([
    [
      'a',
      `{"id":"x","type":"message","role":"assistant","model":"a","content":[{"type":"tool_use","id":"t","name":"f","input":${deep}}],"stop_reason":"tool_use","usage":{"input_tokens":10,"output_tokens":5}}`,
    ],
    [
      'g',
      `{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[{"functionCall":{"name":"f","args":${deep}}}]}}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5}}`,
    ],
  ])('are the same where they come as an object: %s', async (model, body) => {
    room.upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    })
    await expectWholeOrFault(await asks.chat(model, false), JSON.stringify(deep))
  })

  it.each(['a', 'g'])('stay a text where a client tells of them: %s', async (model) => {
    room.upstream.behave((response) => sendJson(response, {}, 500))
    const called = [...messages, { role: 'assistant', content: null, tool_calls: [call] }]
    const result = { role: 'tool', tool_call_id: 'c', content: deep }
    await room.post('/v1/chat/completions', { model, messages: [...called, result] })
    expect(room.upstream.calls.at(-1)?.sent).toContain(JSON.stringify(deep).slice(0, 1000))
  })
})
