// What a body may not say: nothing goes upstream, and the error names the field in the caller's dialect.
import { beforeEach, describe, expect, it } from 'vitest'
import { relayRoom, sendJson } from '#test'

const answer = { choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }] }
const usage = { prompt_tokens: 3, completion_tokens: 1 }

const room = relayRoom({
  channels: [{ models: 'm,w' }, { models: 'g', type: 24 }],
  priced: ['m', 'g', 'w'],
  customer: 'sly',
})

beforeEach(() => {
  room.upstream.calls.length = 0
  room.upstream.behave((response) => sendJson(response, { ...answer, usage }))
})

interface Answer {
  status: number
  body: { error?: { param?: unknown; message?: string; type?: string; status?: string } }
}

async function post(path: string, body: string | FormData): Promise<Answer> {
  const response = await room.post(path, body)
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

const chat = '/v1/chat/completions'
const messages = '"messages":[{"role":"user","content":"Hi"}]'
const generate = '/v1beta/models/g:generateContent'
const contents = '"contents":[{"role":"user","parts":[{"text":"Hi"}]}]'
const pictures = '/v1/images/generations'

function formOf(parts: readonly (readonly [string, string | Blob])[]): FormData {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  return form
}

describe('a field that has two names or two values', () => {
  it.each([
    [chat, `{"model":"m","Model":"dear",${messages}}`, 'Model'],
    [chat, `{"model":"m","model":"m",${messages}}`, 'model'],
    [chat, `{"model":"m","mod\\u0065l":"dear",${messages}}`, 'model'],
    [chat, `{"model":"m","max_toKens":9,${messages}}`, 'max_toKens'],
    [chat, `{"model":"m","ſtream":true,${messages}}`, 'ſtream'],
    [chat, `{"model":"m","N":9,${messages}}`, 'N'],
    [
      chat,
      `{"model":"m",${messages},"stream_options":{"Include_Usage":false}}`,
      'stream_options.Include_Usage',
    ],
    [chat, `{"model":"m",${messages},"metadata":{"a":1,"a":2}}`, 'a'],
    ['/v1/responses', '{"model":"m","input":"Hi","Max_output_tokens":9}', 'Max_output_tokens'],
    ['/v1/messages', `{"model":"m","max_tokens":5,"MAX_TOKENS":900,${messages}}`, 'MAX_TOKENS'],
    ['/v1/embeddings', '{"model":"m","input":"Hi","Input":"Hi"}', 'Input'],
    [pictures, '{"model":"m","prompt":"a cat","Size":"1x1"}', 'Size'],
    [generate, `{"model":"dear",${contents}}`, 'model'],
    [generate, `{${contents},"GenerationConfig":{}}`, 'GenerationConfig'],
    [generate, `{${contents},"generationConfig":{},"generation_config":{}}`, 'generation_config'],
    [
      generate,
      `{${contents},"generationConfig":{"maxOutputTokens":5,"max_output_tokens":900}}`,
      'max_output_tokens',
    ],
  ])('is refused: POST %s %s', async (path, body, field) => {
    const answer = await post(path, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error?.message).toContain(field)
    expect(room.upstream.calls).toEqual([])
  })

  it.each([
    [
      '/v1/audio/transcriptions',
      [
        ['model', 'w'],
        ['model', 'dear'],
      ],
      'model',
    ],
    [
      '/v1/audio/transcriptions',
      [
        ['model', 'w'],
        ['Model', 'dear'],
      ],
      'Model',
    ],
    [
      '/v1/audio/transcriptions',
      [
        ['model', 'w'],
        ['file', new Blob(['b'])],
      ],
      'file',
    ],
    [
      '/v1/images/edits',
      [
        ['model', 'm'],
        ['prompt', 'a'],
        ['n', '1'],
        ['n', '9'],
      ],
      'n',
    ],
    [
      '/v1/images/edits',
      [
        ['model', 'm'],
        ['prompt', 'a'],
        ['n[]', '9'],
      ],
      'n[]',
    ],
    [
      '/v1/images/edits',
      [
        ['model', 'm'],
        ['prompt', 'a'],
        ['n', new Blob(['9'])],
      ],
      'n',
    ],
  ] as const)('is refused in a form: POST %s %j', async (path, parts, field) => {
    const name = path.endsWith('edits') ? 'image' : 'file'
    const answer = await post(path, formOf([...parts, [name, new Blob(['a'])]]))
    expect(answer).toMatchObject({ status: 400, body: { error: { param: field } } })
    expect(room.upstream.calls).toEqual([])
  })

  it('is refused in the words of each dialect', async () => {
    const claude = await post('/v1/messages', `{"model":"m","Model":"m",${messages}}`)
    expect(claude.body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
    const gemini = await post(generate, `{"model":"dear",${contents}}`)
    expect(gemini.body.error?.status).toBe('INVALID_ARGUMENT')
  })

  it('is fine where the names are the client’s own, or say the same model', async () => {
    const own = `{"model":"m",${messages},"metadata":{"Model":"x","model":"y \\"quoted\\\\\\" : text"}}`
    expect((await post(chat, own)).status).toBe(200)
    expect(room.upstream.calls[0]?.sent).toBe(own)
    room.upstream.behave((response) => sendJson(response, geminiAnswer))
    for (const named of ['g', 'models/g'])
      expect((await post(generate, `{"model":"${named}",${contents}}`)).status).toBe(200)
    expect(room.upstream.calls.at(-1)?.body).not.toHaveProperty('model')
  })
})

const geminiAnswer = {
  candidates: [{ content: { parts: [{ text: 'Hello' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
}

describe('a number that multiplies a price', () => {
  it.each<readonly [path: string, body: object, field: string]>([
    ...[3.5, 0, -1, 1_000_000.5, 1e308, '3', true, [2], 129].map(
      (n) => [pictures, { model: 'm', prompt: 'a cat', n }, 'n'] as const,
    ),
    [chat, { model: 'm', n: 2.5, messages: [{ role: 'user', content: 'Hi' }] }, 'n'],
    ['/v1/completions', { model: 'm', prompt: 'Hi', best_of: 1e308 }, 'best_of'],
    ['/v1/completions', { model: 'm', prompt: 'Hi', max_tokens: 1.5 }, 'max_tokens'],
    ['/v1/embeddings', { model: 'm', input: 'Hi', dimensions: -1 }, 'dimensions'],
    [pictures, { model: 'm', prompt: 'a', size: '1024x1e9' }, 'size'],
    [pictures, { model: 'm', prompt: 'a', size: '99999999x9' }, 'size'],
    [pictures, { model: 'm', prompt: 'a', size: 7 }, 'size'],
    [pictures, { model: 'm', prompt: 'a', width: 0.5 }, 'width'],
    [pictures, { model: 'm', prompt: 'a', duration: 1e9 }, 'duration'],
  ])('is refused: POST %s %j', async (path, body, field) => {
    const answer = await post(path, JSON.stringify(body))
    expect(answer).toMatchObject({ status: 400, body: { error: { param: field } } })
    expect(room.upstream.calls).toEqual([])
  })

  it.each([
    [generate, `{${contents},"generationConfig":{"candidateCount":1.5}}`, 'candidateCount'],
    [generate, `{${contents},"generation_config":{"max_output_tokens":-1}}`, 'max_output_tokens'],
    [
      '/v1beta/models/m:predict',
      '{"instances":[{"prompt":"a"}],"parameters":{"sampleCount":1e308}}',
      'sampleCount',
    ],
    [
      '/v1beta/models/m:embedContent',
      '{"content":{"parts":[{"text":"a"}]},"outputDimensionality":0.5}',
      'outputDimensionality',
    ],
  ])('is refused by the name that Google gives it: POST %s %s', async (path, body, field) => {
    const answer = await post(path, body)
    expect(answer).toMatchObject({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } })
    expect(answer.body.error?.message).toContain(field)
    expect(room.upstream.calls).toEqual([])
  })

  it.each(['2.5', '1e3', '-1', 'two', '0x10', '1000000000000'])(
    'is refused in a form: n=%s',
    async (n) => {
      const parts = [
        ['model', 'm'],
        ['prompt', 'a'],
        ['n', n],
        ['image', new Blob(['a'])],
      ] as const
      const answer = await post('/v1/images/edits', formOf(parts))
      expect(answer).toMatchObject({ status: 400, body: { error: { param: 'n' } } })
      expect(room.upstream.calls).toEqual([])
    },
  )
})
