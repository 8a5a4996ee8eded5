import {
  any,
  flag,
  list,
  model,
  number,
  object,
  oneOf,
  text,
  whole,
  withExample,
  type RelayCall,
} from './call.ts'

const contents = list(
  object({
    role: text('user or model'),
    parts: list(any('text, inlineData, fileData, functionCall or functionResponse')),
  }),
)
const hello = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }

const generate = {
  body: withExample(
    object(
      {
        contents,
        systemInstruction: any(),
        tools: list(any()),
        toolConfig: any(),
        safetySettings: list(any()),
        generationConfig: object({
          maxOutputTokens: whole(),
          temperature: number(),
          topP: number(),
          topK: whole(),
          candidateCount: whole(),
          stopSequences: list(text()),
          responseMimeType: text(),
          responseSchema: any(),
          thinkingConfig: any(),
        }),
      },
      ['contents'],
    ),
    hello,
  ),
  answer: object({
    candidates: list(
      object({ content: any(), finishReason: text('STOP, MAX_TOKENS, SAFETY …'), index: whole() }),
    ),
    usageMetadata: object({
      promptTokenCount: whole(),
      candidatesTokenCount: whole(),
      thoughtsTokenCount: whole(),
      totalTokenCount: whole(),
    }),
    modelVersion: text(),
  }),
}

const key = 'The key goes into `x-goog-api-key`, `?key=` or `Authorization`.'
const embedded = object({ values: list(number()) })

/** The calls under `POST /v1beta/models/*`, by the word after the model. */
export const geminiActions: Readonly<Record<string, RelayCall>> = {
  generateContent: {
    ...generate,
    summary: 'Chat, in the form of Gemini',
    description: `Every chat model, whatever its provider speaks. ${key}`,
  },
  streamGenerateContent: {
    ...generate,
    summary: 'Chat, in the form of Gemini, streamed',
    description: `With \`?alt=sse\` server-sent events, else one JSON list that grows. ${key}`,
  },
  countTokens: {
    summary: 'Count tokens, free of charge',
    description: `Where the provider does not count, it is an estimate of the gateway. ${key}`,
    body: withExample(object({ contents }, ['contents']), hello),
    answer: object({ totalTokens: whole() }),
  },
  embedContent: {
    summary: 'Turn a text into a vector',
    body: withExample(
      object({ content: any(), outputDimensionality: whole(), taskType: text() }, ['content']),
      { content: { parts: [{ text: 'Hello' }] } },
    ),
    answer: object({ embedding: embedded }),
  },
  batchEmbedContents: {
    summary: 'Turn texts into vectors',
    body: withExample(object({ requests: list(any()) }, ['requests']), {
      requests: [{ content: { parts: [{ text: 'Hello' }] } }],
    }),
    answer: object({ embeddings: list(embedded) }),
  },
  predict: {
    summary: 'Draw pictures, in the form of Imagen',
    body: withExample(
      object(
        {
          instances: list(object({ prompt: text() })),
          parameters: object({ sampleCount: whole(), aspectRatio: text() }),
        },
        ['instances'],
      ),
      { instances: [{ prompt: 'A lighthouse at dusk' }], parameters: { sampleCount: 1 } },
    ),
    answer: object({
      predictions: list(object({ bytesBase64Encoded: text(), mimeType: text() })),
    }),
  },
}

const interaction: RelayCall = {
  summary: 'Have a model answer, in steps',
  description:
    'A text, contents or steps in; steps out. `previous_interaction_id` goes on from an interaction of the last hour. Streams with `stream`.',
  body: withExample(
    object(
      {
        model,
        input: oneOf(text(), list(any(), 'Contents or steps.')),
        previous_interaction_id: text(),
        system_instruction: text(),
        tools: list(any()),
        generation_config: any(),
        response_format: any(),
        store: flag(),
        stream: flag(),
      },
      ['model', 'input'],
    ),
    { model: 'gemini-3.8-flash', input: 'How high is the Eiffel Tower?' },
  ),
  answer: object({
    id: text(),
    status: text('completed, requires_action, incomplete or failed'),
    steps: list(any('model_output, thought or function_call')),
    usage: object({
      total_input_tokens: whole(),
      total_output_tokens: whole(),
      total_tokens: whole(),
    }),
  }),
}

const laterCalls = (version: string): Record<string, RelayCall> => ({
  [`GET /${version}/interactions/:id`]: {
    summary: 'An interaction of the last hour, for the account that made it',
  },
  [`DELETE /${version}/interactions/:id`]: { summary: 'Delete an interaction' },
  [`POST /${version}/interactions/:id/cancel`]: {
    summary: 'Always refused: an interaction that can be named has ended',
  },
})

/** The calls by method and path of the route. */
export const geminiCalls: Readonly<Record<string, RelayCall>> = {
  'GET /v1beta/models': { summary: 'The models that this token may use, in the form of Gemini' },
  'GET /v1beta/models/*': { summary: 'One model, in the form of Gemini' },
  'POST /v1/interactions': interaction,
  ...laterCalls('v1'),
  'POST /v1alpha/interactions': interaction,
  ...laterCalls('v1alpha'),
  'POST /v1beta/interactions': interaction,
  ...laterCalls('v1beta'),
  'GET /v1beta/openai/models': { summary: 'The models that this token may use' },
}
