// A field of the neutral request reaches an upstream or is named as dropped: none goes away in silence.
import { describe, expect, it } from 'vitest'
import { reportDropped } from '../adapter-kit/custom-chat/report-dropped.ts'
import type { ChatDialect } from '../contract/dialect.ts'
import type { ChatRequest, Part } from '../contract/neutral.ts'
import { codecs } from './index.ts'

const models: Record<ChatDialect, string> = {
  'openai-chat': 'gpt-4.1',
  'openai-responses': 'gpt-4.1',
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
}

/** What is no wish of the client's about the answer: the conversation itself, and how the answer is handed over. */
type Frame =
  | 'model'
  | 'system'
  | 'turns'
  | 'hostedTools'
  | 'stream'
  | 'includeUsage'
  | 'nativeFields'
  | 'legacyFunctions'

/** One wish of each kind. A new field of the request is asked for by the compiler here. */
const wishes: Required<Omit<ChatRequest, Frame>> = {
  tools: [{ name: 'look', parameters: { type: 'object', properties: {} } }],
  toolChoice: { mode: 'required' },
  parallelToolCalls: false,
  maxTokens: 77,
  temperature: 0.3,
  topP: 0.4,
  topK: 5,
  stop: ['END'],
  count: 2,
  seed: 7,
  presencePenalty: 0.5,
  frequencyPenalty: 0.6,
  logitBias: { '1': 2 },
  logprobs: true,
  topLogprobs: 3,
  responseFormat: { type: 'json' },
  reasoning: { effort: 'high' },
  verbosity: 'low',
  user: 'someone',
  metadata: { a: 'b' },
  store: true,
  serviceTier: 'flex',
  promptCacheKey: 'key',
  webSearch: {},
  safetySettings: [{ category: 'c', threshold: 't' }],
  modalities: ['text', 'audio'],
  audio: { voice: 'alloy', format: 'wav' },
  imageConfig: { aspectRatio: '1:1' },
}

/** What a wish means nothing without: tools to choose from, log probabilities to count, speech to have a voice. */
const beside: Partial<Record<keyof typeof wishes, Partial<ChatRequest>>> = {
  toolChoice: { tools: wishes.tools },
  parallelToolCalls: { tools: wishes.tools },
  topLogprobs: { logprobs: true },
  audio: { modalities: ['text', 'audio'] },
}

const plain: ChatRequest = {
  model: 'm',
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
  tools: [],
  hostedTools: [],
  stream: false,
  includeUsage: false,
}

function built(dialect: ChatDialect, request: ChatRequest): string {
  const dropped: string[] = []
  const upstreamModel = models[dialect]
  const target = { upstreamModel, dropped, option: () => undefined as never }
  try {
    return JSON.stringify([codecs[dialect].buildRequest(request, target), dropped])
  } catch (error) {
    // Refused by name.
    return String(error)
  }
}

function reported(request: ChatRequest): string {
  const dropped: string[] = []
  reportDropped(request, [], { drop: (field) => void dropped.push(field) })
  return JSON.stringify(dropped)
}

function lostBy(show: (request: ChatRequest) => string): string[] {
  return Object.entries(wishes)
    .filter(([field, value]) => {
      const before = { ...plain, ...beside[field as keyof typeof wishes] }
      return show({ ...before, [field]: value }) === show(before)
    })
    .map(([field]) => field)
}

describe('a field of the neutral request', () => {
  it.each(Object.keys(codecs) as ChatDialect[])(
    'is written or told as dropped by %s',
    (dialect) => {
      expect(lostBy((request) => built(dialect, request))).toEqual([])
    },
  )

  it.each<[ChatDialect, string[]]>([
    ['openai-chat', ['cache_control', 'citations', 'is_error']],
    ['openai-responses', ['messages.name', 'cache_control', 'citations', 'is_error']],
    ['anthropic-messages', ['messages.name', 'detail']],
    ['gemini', ['messages.name', 'cache_control', 'citations', 'detail']],
  ])('that stands in the conversation is told as dropped by %s too', (dialect, lost) => {
    const source = { type: 'base64', mediaType: 'application/pdf', data: 'YQ==' } as const
    const image = { type: 'base64', mediaType: 'image/png', data: 'YQ==' } as const
    const turn: ChatRequest['turns'][number] = {
      role: 'user',
      name: 'ada',
      parts: [
        { kind: 'text', text: 'hi', cache: { control: { type: 'ephemeral' } } },
        { kind: 'file', source, cited: { index: 0 } },
        { kind: 'image', source: image, detail: 'low' },
        { kind: 'tool_result', callId: 'c', content: [], isError: true },
      ],
    }
    const [body, dropped] = JSON.parse(built(dialect, { ...plain, turns: [turn] })) as unknown[]
    expect(dropped).toEqual(lost)
    const said = JSON.stringify(body)
    expect(said.includes('ada')).toBe(!lost.includes('messages.name'))
    expect(said.includes('ephemeral')).toBe(!lost.includes('cache_control'))
    expect(said.includes('"citations":{"enabled":true}')).toBe(!lost.includes('citations'))
    const saysFailure = said.includes('"is_error":true') || said.includes('"response":{"error"')
    expect(saysFailure).toBe(!lost.includes('is_error'))
  })

  it.each<[ChatDialect, kept: string[], lost: string[]]>([
    ['openai-chat', ['cGl4ZWw=', 'a.png', 'Words.'], ['file', 'input_audio', 'image_url']],
    ['openai-responses', ['cGl4ZWw=', 'a.png', 'Words.'], ['file', 'input_audio', 'image_url']],
    ['anthropic-messages', ['cGl4ZWw=', 'a.png', 'Words.'], ['file', 'input_audio', 'image_url']],
    ['gemini', ['cGl4ZWw=', 'a.png', 'Words.', 'UERG', 'c291bmQ='], []],
  ])(
    'that stands in a turn of the model reaches %s as %j, or as dropped: %j',
    (dialect, kept, lost) => {
      const base64 = (mediaType: string, data: string) =>
        ({ type: 'base64', mediaType, data }) as const
      const parts: Part[] = [
        { kind: 'image', source: base64('image/png', 'cGl4ZWw=') },
        { kind: 'image', source: { type: 'url', url: 'https://pictures.example/a.png' } },
        { kind: 'file', source: { type: 'text', text: 'Words.' } },
        { kind: 'file', source: base64('application/pdf', 'UERG') },
        { kind: 'audio', mediaType: 'audio/wav', data: 'c291bmQ=' },
      ]
      const stored = { type: 'file_id', id: 'file-1', dialect: 'openai-chat' } as const
      if (dialect !== 'gemini') parts.push({ kind: 'image', source: stored })
      const turns: ChatRequest['turns'] = [...plain.turns, { role: 'model', parts }, ...plain.turns]
      const [body, dropped] = JSON.parse(built(dialect, { ...plain, turns })) as unknown[]
      expect(dropped).toEqual(lost)
      const all = ['cGl4ZWw=', 'a.png', 'Words.', 'UERG', 'c291bmQ=']
      expect(all.filter((piece) => JSON.stringify(body).includes(piece))).toEqual(kept)
    },
  )

  it.each(['openai-chat', 'gemini'] as const)('that a tool heard reaches %s', (dialect) => {
    const sound: Part = { kind: 'audio', mediaType: 'audio/wav', data: 'c291bmQ=' }
    const call: Part = { kind: 'tool_call', id: 'c', name: 'hear', arguments: '{}' }
    const turns: ChatRequest['turns'] = [
      ...plain.turns,
      { role: 'model', parts: [call] },
      { role: 'user', parts: [{ kind: 'tool_result', callId: 'c', content: [sound] }] },
    ]
    expect(built(dialect, { ...plain, turns })).toContain('c291bmQ=')
  })

  it.each([
    ['gemini', 'gemini-2.5-flash', true],
    ['anthropic-messages', 'claude-3-5-haiku', true],
    ['anthropic-messages', 'claude-opus-4-6', false],
    ['openai-chat', 'gpt-4.1', false],
  ] as const)('tells of strict tools that %s %s lets go: %s', (dialect, upstreamModel, isLost) => {
    const parameters = { type: 'object', properties: {}, additionalProperties: false }
    const tools = [{ name: 'look', strict: true, parameters }]
    const dropped: string[] = []
    const target = { upstreamModel, dropped, option: () => undefined as never }
    const body = JSON.stringify(codecs[dialect].buildRequest({ ...plain, tools }, target))
    expect([body.includes('"strict":true'), dropped.includes('tools.strict')]).toEqual([
      !isLost,
      isLost,
    ])
  })

  it.each([
    ['gemini', 'gemini-2.5-flash'],
    ['anthropic-messages', 'claude-opus-4-6'],
    ['anthropic-messages', 'claude-3-5-haiku'],
  ] as const)('reaches %s %s where it says what an answer is for', (dialect, upstreamModel) => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const responseFormat = { type: 'schema', schema, description: 'A verdict.' } as const
    const target = { upstreamModel, dropped: [], option: () => undefined as never }
    const body = codecs[dialect].buildRequest({ ...plain, responseFormat }, target)
    expect(JSON.stringify(body)).toContain('A verdict.')
  })

  it('is told as dropped by a format of its own that cannot say it', () => {
    expect(lostBy(reported)).toEqual([])
  })
})
