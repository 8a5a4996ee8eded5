// A stream that breaks after its first words, in each dialect of clients from each dialect of upstreams.
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { addChannel, balanceOf, channelType, consumptionRows, setPrice, type ShownLog } from '#test'
import { chunk } from '../../harness/chat-chunks.ts'
import { relayRoom } from '../../harness/relay-room.ts'
import { flushed, type UpstreamCall, writeEvents } from '../../harness/scripted-upstream.ts'

const words = 'one two three'
const balance = 100_000_000
const geminiType = 24
const room = relayRoom({ customer: 'caller', balance, env: { STREAMING_TIMEOUT: '6' } })

const named = (data: { type: string; [field: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const message = 'The engine is down'
const place = { item_id: 'm', output_index: 0, content_index: 0 }

/** How each upstream begins, and what an error is in the middle of its stream. Names that no rule of a provider knows, but for Responses. */
const upstreams = {
  chat: {
    model: 'up-chat',
    type: channelType.openai,
    begin: [chunk(words)],
    error: { error: { message, type: 'server_error', code: 'engine' } },
  },
  responses: {
    model: 'gpt-5-codex',
    type: channelType.openai,
    begin: [
      named({
        type: 'response.created',
        sequence_number: 0,
        response: { id: 'r', object: 'response', status: 'in_progress', output: [] },
      }),
      named({
        type: 'response.output_item.added',
        sequence_number: 1,
        output_index: 0,
        item: { id: 'm', type: 'message', role: 'assistant', status: 'in_progress', content: [] },
      }),
      named({
        type: 'response.content_part.added',
        sequence_number: 2,
        ...place,
        part: { type: 'output_text', text: '', annotations: [] },
      }),
      named({ type: 'response.output_text.delta', sequence_number: 3, ...place, delta: words }),
    ],
    error: named({ type: 'error', sequence_number: 4, code: 'server_error', message, param: null }),
  },
  anthropic: {
    model: 'up-anthropic',
    type: channelType.anthropic,
    begin: [
      named({
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 10, output_tokens: 1 },
        },
      }),
      named({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'text', text: '' },
      }),
      named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } }),
    ],
    error: named({ type: 'error', error: { type: 'api_error', message } }),
  },
  gemini: {
    model: 'up-gemini',
    type: geminiType,
    begin: [{ candidates: [{ index: 0, content: { role: 'model', parts: [{ text: words }] } }] }],
    error: { error: { code: 500, message, status: 'INTERNAL' } },
  },
} as const

type Upstream = keyof typeof upstreams

const faults: Record<string, (response: ServerResponse, upstream: Upstream) => void> = {
  resets: (response) => void response.socket?.resetAndDestroy(),
  'falls silent': () => undefined,
  'ends without its mark': (response) => void response.end(),
  'sends an error': (response, upstream) => {
    writeEvents(response, [upstreams[upstream].error])
    response.end()
  },
}

const messages = [{ role: 'user', content: 'Hi' }]
const clients: Record<
  string,
  { path: (model: string) => string; body: object; error: RegExp; mark: RegExp }
> = {
  chat: {
    path: () => '/v1/chat/completions',
    body: { messages },
    error: /^data: \{"error":/m,
    mark: /\[DONE\]/,
  },
  responses: {
    path: () => '/v1/responses',
    body: { input: 'Hi' },
    error: /^event: (?:error|response\.failed)$/m,
    mark: /response\.completed/,
  },
  anthropic: {
    path: () => '/v1/messages',
    body: { messages, max_tokens: 100 },
    error: /^event: error$/m,
    mark: /message_stop/,
  },
  gemini: {
    path: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    error: /^data: \{"error":/m,
    mark: /"finishReason":"STOP"/,
  },
}

const modelOf = (upstream: Upstream, fault: string) =>
  `${upstreams[upstream].model}-${fault.replaceAll(' ', '-')}`

async function breaksOff(response: ServerResponse, { path, body }: UpstreamCall): Promise<void> {
  const model = /\/models\/([^/:]+):/.exec(path)?.[1] ?? String(body.model)
  const upstream = Object.keys(upstreams).find((name) =>
    model.startsWith(upstreams[name as Upstream].model),
  ) as Upstream
  const fault = Object.keys(faults).find((name) => model === modelOf(upstream, name))
  // OpenAI serves Responses itself: what asks for it there is passed through.
  const spoken = path.endsWith('/responses') ? 'responses' : upstream
  writeEvents(response, upstreams[spoken].begin)
  await flushed(response)
  faults[fault ?? '']?.(response, spoken)
}

interface Seen {
  what: string
  status: number
  text: string
  requestId: string
  client: string
}

async function ask(client: string, upstream: Upstream, fault: string): Promise<Seen> {
  const model = modelOf(upstream, fault)
  const { path, body } = clients[client] ?? { path: () => '/', body: {} }
  const answer = await room.post(path(model), { model, stream: true, ...body })
  return {
    what: `${upstream} ${fault}, for ${client}`,
    status: answer.status,
    text: await textOf(answer),
    requestId: answer.headers.get('x-request-id') ?? '',
    client,
  }
}

/** Also of a connection that breaks. */
async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of body ?? []) text += decoder.decode(bytes, { stream: true })
  } catch {
    text += '(broken off)'
  }
  return text
}

/** Events of Responses are numbered, the error among them: Vercel's SDK reads none without a number. */
function isNumbered(text: string): boolean {
  const data = text.split('\n').filter((line) => line.startsWith('data: '))
  const numbers = data.map((line) => /"sequence_number":(\d+)/.exec(line)?.[1])
  return numbers.every((number, at) => number === String(at))
}

/** What one of them says that is not as it should be. */
function wrong(seen: Seen, rows: readonly ShownLog[]): string[] {
  const { error, mark } = clients[seen.client] ?? { error: /^$/, mark: /^$/ }
  const own = rows.filter(({ request_id }) => request_id === seen.requestId)
  const faulty = [
    [seen.status === 200, `the status is ${seen.status}`],
    [seen.text.includes(words), 'its words are missing'],
    [error.test(seen.text), 'no error event'],
    [seen.client !== 'responses' || isNumbered(seen.text), 'the numbers'],
    [!mark.test(seen.text), 'the mark of a sound end'],
    // Gemini's SDK reads an error in mid-stream only so.
    [seen.text.endsWith('(broken off)') === (seen.client === 'gemini'), 'the connection'],
    [own.length === 1, `${own.length} rows`],
    [own[0]?.completion_tokens === 3, 'another count of tokens'],
    [own[0]?.other.includes('"end":"upstream_cut"') === true, 'the row tells of another end'],
  ] as const
  return faulty
    .filter(([isRight]) => !isRight)
    .map(([, what]) => `${seen.what}: ${what}: ${seen.text.slice(-300)}`)
}

describe('a stream that breaks after its first words', () => {
  it('ends with an error in the dialect of the client, and is paid for what it gave', async () => {
    const all = (Object.keys(upstreams) as Upstream[]).flatMap((upstream) =>
      Object.keys(faults).map((fault) => ({ upstream, fault })),
    )
    for (const { upstream, fault } of all)
      await setPrice(room.app.root, modelOf(upstream, fault), 1)
    for (const { model, type } of Object.values(upstreams)) {
      const models = all
        .map(({ upstream, fault }) => modelOf(upstream, fault))
        .filter((name) => name.startsWith(model))
      await addChannel(room.app.root, {
        base_url: room.upstream.url,
        type,
        models: models.join(','),
      })
    }
    room.upstream.behave(breaksOff)
    const seen = await Promise.all(
      Object.keys(clients).flatMap((client) =>
        all.map(({ upstream, fault }) => ask(client, upstream, fault)),
      ),
    )
    const charges = () => consumptionRows(room.app.root, room.customer.username)
    // A connection that breaks off may be seen before its call is charged.
    await expect
      .poll(async () => {
        const rows = await charges()
        return seen.flatMap((one) => wrong(one, rows))
      })
      .toEqual([])
    const rows = await charges()
    const charged = rows.reduce((sum, { quota }) => sum + quota, 0)
    expect(await balanceOf(room.customer)).toBe(balance - charged)
  })
})
