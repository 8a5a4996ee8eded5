// An upstream that answers whatever it is asked, in the form of the path that it is asked on.
import { scriptedUpstream, sendJson, type ScriptedUpstream } from '#test'

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const message = { role: 'assistant', content: 'Hello' }

const answers: Record<string, unknown> = {
  '/v1/chat/completions': {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  },
  '/v1/completions': {
    id: 'c',
    object: 'text_completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, text: 'Hello', finish_reason: 'stop' }],
    usage,
  },
  '/v1/embeddings': {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.1, 0.2] }],
    model: 'm',
    usage,
  },
  '/v1/images/generations': { created: 1, data: [{ url: 'https://pictures.example/1.png' }] },
  '/v1/images/edits': { created: 1, data: [{ url: 'https://pictures.example/1.png' }] },
  '/v1/moderations': { id: 'm', model: 'm', results: [{ flagged: false }] },
  '/v1/decisions': {
    answers: [{ type: 'predicate', name: null, probability: 0.5 }],
    model: 'm',
    usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
  },
  '/v1/rerank': { results: [{ index: 0, relevance_score: 0.5 }], usage },
  '/v1/audio/transcriptions': { text: 'Hello' },
  '/v1/audio/translations': { text: 'Hello' },
  '/v1/audio/speech': { audio: 'x' },
  '/v1/responses': {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'm',
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
      },
    ],
    usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
  },
}

export async function allDialectsUpstream(): Promise<ScriptedUpstream> {
  const upstream = await scriptedUpstream()
  upstream.behave((response, { path, body }) => {
    // What was asked is not looked at again; a run of many thousand calls must not keep them.
    upstream.calls.length = 0
    const answer = answers[path.split('?')[0] ?? '']
    if (answer === undefined) {
      sendJson(response, { error: { message: 'no such path', type: 'invalid_request_error' } }, 404)
    } else if (body['stream'] === true && path === '/v1/chat/completions') {
      streamChat(response)
    } else sendJson(response, answer)
  })
  return upstream
}

function streamChat(response: Parameters<typeof sendJson>[0]): void {
  const chunk = (choices: unknown[], more: object = {}) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(chunk([{ index: 0, delta: message, finish_reason: null }]))
  response.write(chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]))
  response.end(`${chunk([], { usage })}data: [DONE]\n\n`)
}
