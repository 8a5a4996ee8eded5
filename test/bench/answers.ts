// What the upstreams of the benchmark answer: a short whole answer, and streams as providers send them today (late 2025), padding and all.

const words =
  'The quick brown fox jumps over a lazy dog near the river while sunlight warms quiet stones again'.split(
    ' ',
  )
/** Texts of a streamed answer, a token each; the events that open and close it come on top. */
const texts = Array.from({ length: 128 }, (_, index) => ` ${words[index % words.length]}`)

export interface Answer {
  contentType: string
  /** The body in the pieces that are events; one for a whole answer. */
  pieces: readonly string[]
}

const padding = (index: number) => 'aB3dEf7hIj1kLm0nOp'.slice(index % 16)
const data = (value: unknown, end = '\n\n') => `data: ${JSON.stringify(value)}${end}`
const named = (type: string, value: object) => `event: ${type}\n${data({ type, ...value })}`
const input = 60
const output = texts.length

function whole(): Answer {
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  const message = { role: 'assistant', content: 'The quick brown fox jumps over the lazy dog.' }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  const head = { id: 'chatcmpl-bench', object: 'chat.completion', created: 1_767_322_800 }
  const body = JSON.stringify({ ...head, model: 'bench', choices, usage })
  return { contentType: 'application/json', pieces: [body] }
}

function chat(): string[] {
  const chunk = (choices: unknown[], index: number, usage: unknown = null) =>
    data({
      id: 'chatcmpl-CZ8mPq1XbVvQ2sT4wKjHdRfYgLn7e',
      object: 'chat.completion.chunk',
      created: 1_767_322_800,
      model: 'bench-2025-08-07',
      service_tier: 'default',
      system_fingerprint: 'fp_44709d6fcb',
      choices,
      usage,
      obfuscation: padding(index),
    })
  const choice = (delta: object, finish_reason: string | null = null) => [
    { index: 0, delta, logprobs: null, finish_reason },
  ]
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  }
  return [
    chunk(choice({ role: 'assistant', content: '', refusal: null }), 0),
    ...texts.map((content, index) => chunk(choice({ content }), index)),
    chunk(choice({}, 'stop'), 1),
    chunk([], 2, usage),
    'data: [DONE]\n\n',
  ]
}

function responses(): string[] {
  let sequence_number = 0
  const event = (type: string, value: object) =>
    named(type, { sequence_number: sequence_number++, ...value })
  const response = {
    id: 'resp_bench',
    object: 'response',
    created_at: 1_767_322_800,
    model: 'bench',
  }
  const place = { item_id: 'msg_bench', output_index: 0, content_index: 0 }
  const text = texts.join('')
  const part = { type: 'output_text', text, annotations: [], logprobs: [] }
  const item = {
    id: 'msg_bench',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [part],
  }
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }
  const begun = { response: { ...response, status: 'in_progress', output: [], usage: null } }
  return [
    event('response.created', begun),
    event('response.in_progress', begun),
    event('response.output_item.added', {
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    }),
    event('response.content_part.added', { ...place, part: { ...part, text: '' } }),
    ...texts.map((delta, index) =>
      event('response.output_text.delta', {
        ...place,
        delta,
        logprobs: [],
        obfuscation: padding(index),
      }),
    ),
    event('response.output_text.done', { ...place, text, logprobs: [] }),
    event('response.content_part.done', { ...place, part }),
    event('response.output_item.done', { output_index: 0, item }),
    event('response.completed', {
      response: { ...response, status: 'completed', output: [item], usage },
    }),
  ]
}

function anthropic(): string[] {
  const usage = { input_tokens: input, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const message = {
    id: 'msg_bench',
    type: 'message',
    role: 'assistant',
    model: 'bench',
    content: [],
  }
  const stop = { stop_reason: 'end_turn', stop_sequence: null }
  const empty = { stop_reason: null, stop_sequence: null }
  return [
    named('message_start', {
      message: { ...message, ...empty, usage: { ...usage, output_tokens: 1 } },
    }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    named('ping', {}),
    ...texts.map((text, index) => {
      const event = named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })
      // Spaces before the last bracket hide the length of the text.
      return event.replace(/\}\n\n$/, `${' '.repeat(index % 16)}}\n\n`)
    }),
    named('content_block_stop', { index: 0 }),
    named('message_delta', { delta: stop, usage: { ...usage, output_tokens: output } }),
    named('message_stop', {}),
  ]
}

function gemini(): string[] {
  const chunk = (text: string, index: number, more: object = {}) =>
    data(
      {
        candidates: [{ content: { parts: [{ text }], role: 'model' }, ...more, index: 0 }],
        usageMetadata: {
          promptTokenCount: input,
          candidatesTokenCount: index + 1,
          totalTokenCount: input + index + 1,
          promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
        },
        modelVersion: 'bench',
        responseId: 'benchResponse',
      },
      '\r\n\r\n',
    )
  const last = texts.length - 1
  return texts.map((text, index) =>
    chunk(text, index, index === last ? { finishReason: 'STOP' } : {}),
  )
}

const stream = (pieces: string[]): Answer => ({ contentType: 'text/event-stream', pieces })

/** By the first part of the path that they are served under. */
export const answers = {
  whole: whole(),
  chat: stream(chat()),
  responses: stream(responses()),
  anthropic: stream(anthropic()),
  gemini: stream(gemini()),
} as const

export type AnswerName = keyof typeof answers
