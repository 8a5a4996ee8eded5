import {
  any,
  flag,
  list,
  model,
  models,
  number,
  object,
  oneOf,
  type RelayCall,
  text,
  whole,
  withExample,
} from './call.ts'

const streamed =
  'With `stream: true` the answer is a stream of server-sent events, each a `chat.completion.chunk`; the last line is `data: [DONE]`.'

const message = object(
  {
    role: text('system, developer, user, assistant or tool'),
    content: oneOf(text(), list(any(), 'Parts: text, image_url, input_audio, file.')),
    name: text(),
    tool_calls: list(any(), 'Of an assistant: the functions it called.'),
    tool_call_id: text('Of a tool: which call this answers.'),
  },
  ['role'],
)

const usage = object({
  prompt_tokens: whole(),
  completion_tokens: whole(),
  total_tokens: whole(),
  prompt_tokens_details: object({ cached_tokens: whole(), audio_tokens: whole() }),
  completion_tokens_details: object({ reasoning_tokens: whole(), audio_tokens: whole() }),
})

const chat: RelayCall = {
  summary: 'Chat, in the form of OpenAI',
  description: `Every chat model, whatever its provider speaks: the request is translated on its way. ${streamed}`,
  body: withExample(
    object(
      {
        model,
        models,
        messages: list(message),
        stream: flag(),
        stream_options: object({ include_usage: flag('The last chunk holds the usage.') }),
        max_completion_tokens: whole('`max_tokens` is read, too.'),
        temperature: number(),
        top_p: number(),
        stop: oneOf(text(), list(text())),
        n: whole(),
        seed: whole(),
        presence_penalty: number(),
        frequency_penalty: number(),
        logprobs: flag(),
        top_logprobs: whole(),
        tools: list(any('`{type: "function", function: {name, description, parameters}}`')),
        tool_choice: any('none, auto, required, or one function.'),
        parallel_tool_calls: flag(),
        response_format: any('`{type: "json_object"}`, or json_schema with a schema.'),
        reasoning_effort: text('none, minimal, low, medium, high or xhigh'),
        web_search_options: object({ search_context_size: text('low, medium or high') }),
        modalities: list(text()),
        audio: any(),
        verbosity: text(),
        metadata: any(),
        user: text(),
      },
      ['model', 'messages'],
    ),
    { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }] },
  ),
  answer: object({
    id: text(),
    object: text('chat.completion'),
    created: whole(),
    model: text(),
    choices: list(
      object({
        index: whole(),
        message: object({
          role: text(),
          content: text(),
          reasoning_content: text('What the model thought aloud, where its provider shows it.'),
          tool_calls: list(any()),
        }),
        finish_reason: text('stop, length, tool_calls or content_filter'),
      }),
    ),
    usage,
  }),
}

const responses: RelayCall = {
  summary: 'Chat, in the form of OpenAI Responses',
  description:
    'Served by every chat model, also with `previous_response_id`: an answer of another form is known for an hour. `background` and `conversation`, and stored answers by their id, need a channel whose provider has this form itself.',
  body: withExample(
    object(
      {
        model,
        models,
        input: oneOf(text(), list(any(), 'Items: messages, function calls and their outputs.')),
        instructions: text(),
        stream: flag('The answer is a stream of events that end with `response.completed`.'),
        max_output_tokens: whole(),
        temperature: number(),
        top_p: number(),
        tools: list(any()),
        tool_choice: any(),
        reasoning: object({ effort: text(), summary: text() }),
        text: object({ format: any(), verbosity: text() }),
        previous_response_id: text(),
        store: flag(),
        background: flag(),
        metadata: any(),
      },
      ['model'],
    ),
    { model: 'gpt-6-luna', input: 'Hello' },
  ),
  answer: object({
    id: text(),
    object: text('response'),
    status: text('completed, incomplete, failed or in_progress'),
    model: text(),
    output: list(any('Items: message, reasoning, function_call …')),
    usage: object({ input_tokens: whole(), output_tokens: whole(), total_tokens: whole() }),
  }),
}

const completions: RelayCall = {
  summary: 'Continue a text',
  body: withExample(
    object(
      {
        model,
        prompt: oneOf(text(), list(text())),
        suffix: text(),
        stream: flag(),
        max_tokens: whole(),
        temperature: number(),
        stop: oneOf(text(), list(text())),
      },
      ['model', 'prompt'],
    ),
    {
      model: 'meta-llama/Llama-3.3-70B-Instruct-Turbo',
      prompt: 'Once upon a time',
      max_tokens: 32,
    },
  ),
  answer: object({
    id: text(),
    object: text('text_completion'),
    choices: list(object({ index: whole(), text: text(), finish_reason: text() })),
    usage,
  }),
}

/** The calls by method and path of the route. */
export const openaiCalls: Readonly<Record<string, RelayCall>> = {
  'POST /v1/chat/completions': chat,
  'POST /v1/completions': completions,
  'POST /v1/responses': responses,
  'GET /v1/responses': {
    summary: 'Responses over one connection (WebSocket)',
    description:
      'Not HTTP: open a WebSocket and send `{"type": "response.create", …}` with the fields of `POST /v1/responses`; the events of the answer come as messages. A message may go on from the answer before by `previous_response_id`, with its new items alone, also with `store: false`. Messages with different `stream_id` are answered side by side.',
  },
  'POST /v1/responses/compact': {
    summary: 'Shorten a conversation of the Responses form',
    body: withExample(object({ model, input: any(), instructions: text() }, ['model', 'input']), {
      model: 'gpt-6-luna',
      input: 'Hello',
    }),
  },
  'POST /v1/responses/input_tokens': {
    summary: 'Count the tokens that a response would read, free of charge',
    description: 'Where the provider does not count, it is an estimate of the gateway.',
    body: withExample(
      object({ model, input: any(), instructions: text(), tools: list(any()) }, ['model']),
      { model: 'gpt-6-luna', input: 'Hello' },
    ),
    answer: object({ object: text('response.input_tokens'), input_tokens: whole() }),
  },
  'GET /v1/responses/:id': { summary: 'A stored response, for the account that made it' },
  'DELETE /v1/responses/:id': { summary: 'Delete a stored response' },
  'POST /v1/responses/:id/cancel': { summary: 'Stop a response that runs in the background' },
  'GET /v1/responses/:id/input_items': { summary: 'What a stored response was asked' },
  'POST /v1/embeddings': embeddings(['model', 'input']),
  'POST /v1/engines/:model/embeddings': embeddings(['input']),
  'POST /v1/moderations': {
    summary: 'Judge a text',
    body: withExample(object({ model, input: any('A text, or a list of them.') }, ['input']), {
      input: 'I want to hug you.',
    }),
    answer: object({ id: text(), model: text(), results: list(any()) }),
  },
  'POST /v1/decisions': {
    summary: 'Answer questions about an input with probabilities',
    body: withExample(
      object(
        {
          model,
          input: oneOf(text(), list(any(), 'Messages, function calls and their outputs.')),
          questions: list(any(), 'Each a `predicate`, a `choice` or a `score`.'),
        },
        ['model', 'input', 'questions'],
      ),
      {
        model: 'gpt-6-luna',
        input: 'I was charged twice for one order.',
        questions: [{ type: 'predicate', name: 'refund', instructions: 'A refund is due.' }],
      },
    ),
    answer: object({
      answers: list(any(), 'In the order of the questions.'),
      model: text(),
      usage: object({ input_tokens: whole(), output_tokens: whole(), total_tokens: whole() }),
    }),
  },
  'GET /v1/models': {
    summary: 'The models that this token may use',
    description:
      'In the form of the caller: with `x-api-key` and `anthropic-version` that of Anthropic, with `x-goog-api-key` that of Gemini.',
    answer: object({
      object: text('list'),
      data: list(object({ id: text(), object: text('model'), created: whole(), owned_by: text() })),
    }),
  },
  'GET /v1/models/*': { summary: 'One model' },
}

function embeddings(required: readonly string[]): RelayCall {
  return {
    summary: 'Turn texts into vectors',
    body: withExample(
      object(
        {
          model,
          input: oneOf(text(), list(text())),
          dimensions: whole(),
          encoding_format: text('float or base64'),
        },
        required,
      ),
      { model: 'text-embedding-3-small', input: 'Hello' },
    ),
    answer: object({
      object: text('list'),
      model: text(),
      data: list(object({ object: text('embedding'), index: whole(), embedding: list(number()) })),
      usage: object({ prompt_tokens: whole(), total_tokens: whole() }),
    }),
  }
}
