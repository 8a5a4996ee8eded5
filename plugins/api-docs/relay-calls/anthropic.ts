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

const content = oneOf(text(), list(any(), 'Blocks: text, image, document, tool_use, tool_result.'))
const body = {
  model,
  messages: list(object({ role: text('user or assistant'), content }, ['role', 'content'])),
  system: oneOf(text(), list(any())),
  tools: list(any('`{name, description, input_schema}`, or a tool of the provider.')),
  tool_choice: any(),
  thinking: any('`{type: "adaptive"}` or `{type: "enabled", budget_tokens}`'),
}
const example = {
  model: 'claude-sonnet-5-5',
  max_tokens: 256,
  messages: [{ role: 'user', content: 'Hello' }],
}

/** The calls by method and path of the route. */
export const anthropicCalls: Readonly<Record<string, RelayCall>> = {
  'POST /v1/messages': {
    summary: 'Chat, in the form of Anthropic',
    description:
      'Every chat model, whatever its provider speaks. The key goes into `x-api-key` or `Authorization`. With `stream: true` the answer is a stream of events from `message_start` to `message_stop`.',
    body: withExample(
      object(
        {
          ...body,
          models,
          max_tokens: whole('Left out: what the operator set for the model.'),
          stream: flag(),
          temperature: number(),
          top_p: number(),
          top_k: whole(),
          stop_sequences: list(text()),
          metadata: object({ user_id: text() }),
        },
        ['model', 'messages'],
      ),
      example,
    ),
    answer: object({
      id: text(),
      type: text('message'),
      role: text('assistant'),
      model: text(),
      content: list(any('Blocks: text, thinking, tool_use.')),
      stop_reason: text('end_turn, max_tokens, stop_sequence, tool_use or refusal'),
      usage: object({
        input_tokens: whole(),
        output_tokens: whole(),
        cache_creation_input_tokens: whole(),
        cache_read_input_tokens: whole(),
      }),
    }),
  },
  'POST /v1/messages/count_tokens': {
    summary: 'Count the tokens of a message, free of charge',
    description: 'Where the provider does not count, it is an estimate of the gateway.',
    body: withExample(object(body, ['model', 'messages']), {
      model: example.model,
      messages: example.messages,
    }),
    answer: object({ input_tokens: whole() }),
  },
}
