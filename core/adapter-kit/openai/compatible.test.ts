import { describe, expect, it } from 'vitest'
import type {
  AttemptContext,
  DialectChat,
  PlainOperation,
  RealtimeApi,
} from '../../contract/adapter.ts'
import { OPENAI_OPERATIONS, openaiCompatible } from './compatible.ts'
import { joinUrl } from './join-url.ts'
import { fitReasoningModel, resolveEffortSuffix } from './reasoning-models.ts'

function contextOf(channel: Partial<AttemptContext['channel']> = {}, model = 'm'): AttemptContext {
  return {
    model,
    channel: { key: 'sk-test', baseUrl: 'https://api.example.com', ...channel },
  } as unknown as AttemptContext
}

describe('the operations of a compatible upstream', () => {
  it('have OpenAI’s paths and a bearer key', async () => {
    const operations = openaiCompatible({ operations: OPENAI_OPERATIONS })
    const chat = operations.chat as DialectChat
    expect(await chat.endpoint('openai-chat', contextOf())).toEqual({
      url: 'https://api.example.com/v1/chat/completions',
      headers: { authorization: 'Bearer sk-test' },
    })
    expect(chat.dialects).toEqual(['openai-chat'])
    const speech = operations['audio.speech'] as PlainOperation
    expect((await speech.endpoint(contextOf())).url).toBe('https://api.example.com/v1/audio/speech')
    expect(operations.rerank).toBeUndefined()
  })

  it('take other paths, whole addresses, headers and edits from the adapter', async () => {
    const operations = openaiCompatible({
      paths: {
        chat: '/chat',
        embeddings: (context) => `https://other.example.com/${context.model}`,
      },
      headers: ({ channel }) => ({ authorization: '', 'api-key': channel.key }),
      request: { chat: (body) => ({ ...body, extra: true }) },
      responses: (model) => model.startsWith('gpt-5'),
    })
    const chat = operations.chat as DialectChat
    const endpoint = await chat.endpoint('openai-chat', contextOf())
    expect(endpoint).toEqual({
      url: 'https://api.example.com/chat',
      headers: { authorization: '', 'api-key': 'sk-test' },
    })
    expect(await chat.body?.({}, 'openai-chat', contextOf())).toEqual({ extra: true })
    expect(await chat.body?.({}, 'openai-responses', contextOf())).toEqual({})
    const dialects = chat.dialects as (model: string, channel: unknown) => readonly string[]
    expect(dialects('gpt-5', {})).toEqual(['openai-chat', 'openai-responses'])
    expect(dialects('gpt-4', {})).toEqual(['openai-chat'])
    const embeddings = operations.embeddings as PlainOperation
    expect((await embeddings.endpoint(contextOf())).url).toBe('https://other.example.com/m')
  })

  it('send no key where the channel has none', async () => {
    const chat = openaiCompatible().chat as DialectChat
    expect((await chat.endpoint('openai-chat', contextOf({ key: '' }))).headers).toEqual({})
  })

  it('put the realtime key where the client put its own', () => {
    const realtime = openaiCompatible({ operations: ['realtime'] }).realtime
    const open = (protocols: string[], api: RealtimeApi = 'realtime') =>
      realtime?.endpoint({ ...contextOf({}, 'gpt-realtime'), protocols, api })
    expect(open(['realtime'])).toEqual({
      url: 'wss://api.example.com/v1/realtime?model=gpt-realtime',
      headers: { authorization: 'Bearer sk-test' },
      protocols: ['realtime'],
    })
    expect(
      open(['realtime', 'openai-insecure-api-key.sk-mine', 'openai-beta.realtime-v1']),
    ).toEqual({
      url: 'wss://api.example.com/v1/realtime?model=gpt-realtime',
      headers: {},
      protocols: ['realtime', 'openai-beta.realtime-v1', 'openai-insecure-api-key.sk-test'],
    })
    expect(open([], 'realtime.transcription')).toMatchObject({
      url: 'wss://api.example.com/v1/realtime?intent=transcription',
    })
  })
})

describe('joining a base URL and a path', () => {
  it.each([
    ['https://a.example.com', '/v1/models', 'https://a.example.com/v1/models'],
    ['https://a.example.com/openai/', '/v1/models', 'https://a.example.com/openai/v1/models'],
    ['https://a.example.com/v1', '/v1/models', 'https://a.example.com/v1/models'],
    ['https://a.example.com/api/v1', '/v2/models', 'https://a.example.com/api/v1/v2/models'],
    ['https://a.example.com', 'https://b.example.com/x', 'https://b.example.com/x'],
  ])('%s and %s give %s', (base, path, url) => {
    expect(joinUrl(base, path)).toBe(url)
  })
})

describe('a body for a reasoning model', () => {
  it('loses what the model refuses and renames the rest', () => {
    const dropped: string[] = []
    const body = {
      model: 'o3-mini',
      messages: [{ role: 'system', content: 'Be exact.' }],
      temperature: 0.2,
      presence_penalty: 1,
      max_tokens: 500,
    }
    expect(fitReasoningModel(body, (field) => dropped.push(field))).toEqual({
      model: 'o3-mini',
      messages: [{ role: 'developer', content: 'Be exact.' }],
      max_completion_tokens: 500,
    })
    expect(dropped).toEqual(['temperature', 'presence_penalty'])
  })

  it.each(['gpt-4o', 'gpt-5-chat-latest', 'openchat-3.5', 'claude-opus-4-5'])(
    'of %s stays as it is',
    (model) => {
      const body = { model, temperature: 1, max_tokens: 5 }
      expect(fitReasoningModel(body)).toBe(body)
    },
  )

  it('keeps sampling where gpt-5.1 does not think', () => {
    const body = { model: 'gpt-5.1', reasoning_effort: 'none', temperature: 1, presence_penalty: 1 }
    expect(fitReasoningModel(body)).toEqual({
      model: 'gpt-5.1',
      reasoning_effort: 'none',
      temperature: 1,
    })
  })

  it.each([
    ['o3-mini-high', { model: 'o3-mini', effort: 'high' }],
    ['gpt-5-minimal', { model: 'gpt-5', effort: 'minimal' }],
    ['gpt-5.1-codex-max', { model: 'gpt-5.1-codex-max' }],
    ['gpt-4o-high', { model: 'gpt-4o-high' }],
    ['gpt-5-mini', { model: 'gpt-5-mini' }],
  ])('of %s is resolved to %j', (model, resolved) => {
    expect(resolveEffortSuffix(model)).toEqual(resolved)
  })
})
