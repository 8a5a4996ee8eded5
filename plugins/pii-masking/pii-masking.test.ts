// Through a whole gateway: what an upstream reads, and what the client gets back.
import { afterEach, describe, expect, it } from 'vitest'
import type { ChatDialect } from '#core'
import { relayRoom, sendJson } from '#test'
import { echo } from '../../test/harness/upstreams/echo-upstream.ts'
import type { CountedKind, MaskingFigures, Trial } from './schema.ts'

const room = relayRoom({
  plugins: ['pii-masking'],
  channels: [
    { models: 'm-chat,m-free,m-free-2,gpt-5-codex-m' },
    { models: 'm-claude', type: 14 },
    { models: 'm-gem', type: 24 },
  ],
  priced: ['m-chat', 'm-free', 'm-free-2', 'gpt-5-codex-m', 'm-claude', 'm-gem'],
  customer: 'private',
})

const secrets = [
  'ada@example.com',
  '13812345678',
  '11010519491231002X',
  '4111 1111 1111 1111',
  'DE89 3704 0044 0532 0130 00',
  '203.0.113.7',
  'EMP-123456',
]
const prompt = `Tell ${secrets.join(', ')} that [EMAIL_9] is "fine", and again ada@example.com [EM`

const set = (key: string, value: string) => room.app.root.put('/api/option/', { key, value })

afterEach(async () => {
  for (const [key, value] of [
    ['PiiMaskingAction', 'mask'],
    ['PiiMaskingRestore', 'true'],
    ['PiiMaskingPatterns', 'STAFF=EMP-\\d{6}'],
    ['PiiMaskingModels', ''],
    ['PiiMaskingGroups', ''],
    ['PiiMaskingIp', 'true'],
  ] as const)
    await set(key, value)
})

function ask(dialect: ChatDialect, model: string, stream: boolean, text: string) {
  const messages = [{ role: 'user', content: [{ type: 'text', text }] }]
  switch (dialect) {
    case 'openai-chat':
      return room.post('/v1/chat/completions', { model, stream, user: 'ada@example.com', messages })
    case 'openai-responses':
      return room.post('/v1/responses', {
        model,
        stream,
        input: [{ role: 'user', content: [{ type: 'input_text', text }] }],
      })
    case 'anthropic-messages':
      return room.post('/v1/messages', {
        model,
        stream,
        max_tokens: 100,
        messages,
        metadata: { user_id: 'ada@example.com' },
      })
    case 'gemini':
      return room.post(
        `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
        {
          contents: [{ role: 'user', parts: [{ text }] }],
        },
      )
  }
}

/** All texts of a stream or answer, joined by the part that they belong to. */
function said(answer: string): string {
  const texts: Record<string, string> = {}
  const collect = (value: unknown, name: string) => {
    if (typeof value === 'string') texts[name] = (texts[name] ?? '') + value
    else if (Array.isArray(value)) for (const inner of value) collect(inner, name)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) collect(inner, `${name}.${key}`)
  }
  if (answer.startsWith('{')) collect(JSON.parse(answer), '')
  else
    for (const line of answer.split('\n'))
      if (line.startsWith('data: {')) collect(JSON.parse(line.slice(6)), '')
  return Object.values(texts).join('\n')
}

const upstreams = ['m-chat', 'gpt-5-codex-m', 'm-claude', 'm-gem']
const dialects = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const

describe.each(dialects)('a client of %s', (dialect) => {
  it.each(upstreams.flatMap((model) => [false, true].map((stream) => ({ model, stream }))))(
    'sends no personal data to $model and gets it back, stream $stream',
    async ({ model, stream }) => {
      await set('PiiMaskingPatterns', 'STAFF=EMP-\\d{6}')
      room.upstream.calls.length = 0
      room.upstream.behave(echo())
      const response = await ask(dialect, model, stream, prompt)
      const answer = await response.text()
      expect(`${response.status} ${response.status === 200 ? '' : answer}`).toBe('200 ')
      const [call] = room.upstream.calls
      for (const secret of secrets) expect(call?.sent).not.toContain(secret)
      expect(call?.sent).toContain(
        '[EMAIL_1], [PHONE_1], [ID_1], [CARD_1], [IBAN_1], [IP_1], [STAFF_1]',
      )
      expect(said(answer)).toContain(prompt)
      // Reasoning, text, and the arguments of a tool call, which are JSON as a text.
      expect(said(answer)).toContain(`Tell ${secrets.join(', ')}`)
      expect(said(answer)).not.toMatch(/\[(?:PHONE|ID|CARD|IBAN|IP|STAFF)_\d/)
    },
  )
})

const simple = (model: string, content: string, more: object = {}) =>
  room.post('/v1/chat/completions', { model, messages: [{ role: 'user', content }], ...more })

describe('beside what is said', () => {
  const mail = 'ada@example.com'

  it('a call in which nothing is found reaches the upstream byte for byte', async () => {
    room.upstream.behave(echo())
    const body =
      '{ "model": "m-chat",  "x_own": 1.50, "messages": [{"role": "user", "content": "a c\\u0061t"}] }'
    expect((await room.post('/v1/chat/completions', body)).status).toBe(200)
    expect(room.upstream.calls.at(-1)?.sent).toBe(body)
  })

  it('what an answer quotes of a document is shown as it was sent', async () => {
    const place = { type: 'char_location', document_index: 0, document_title: 'On [EMAIL_1]' }
    const quoted = { cited_text: 'Ask [EMAIL_1].', start_char_index: 0, end_char_index: 14 }
    room.upstream.behave((response) =>
      sendJson(response, {
        id: 'a',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text: 'Ask her.', citations: [{ ...place, ...quoted }] }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    )
    const source = { type: 'text', media_type: 'text/plain', data: `Ask ${mail}.` }
    const title = `On ${mail}`
    const document = { type: 'document', title, source, citations: { enabled: true } }
    const messages = [{ role: 'user', content: [document, { type: 'text', text: 'Whom?' }] }]
    const response = await room.post('/v1/messages', { model: 'm-claude', max_tokens: 9, messages })
    expect(await response.json()).toMatchObject({
      content: [{ citations: [{ cited_text: `Ask ${mail}.`, document_title: title }] }],
    })
  })

  it.each(upstreams)('declarations, stop words and notes reach %s masked', async (model) => {
    room.upstream.behave(echo({ isPlain: true }))
    room.upstream.calls.length = 0
    const parameters = { type: 'object', properties: { to: { type: 'string', enum: [mail] } } }
    const answer = await simple(model, `Write to ${mail}`, {
      tools: [{ type: 'function', function: { name: 'send', description: mail, parameters } }],
      stop: [mail],
      metadata: { owner: mail },
    })
    expect(answer.status).toBe(200)
    expect(room.upstream.calls[0]?.sent).not.toContain(mail)
    expect(room.upstream.calls[0]?.sent).toContain('"enum":["[EMAIL_1]"]')
  })

  it('questions to decide are masked wherever they hold words, and their answers shown', async () => {
    room.upstream.calls.length = 0
    room.upstream.behave((response, { body }) => {
      const [
        {
          name,
          choices: [{ value }],
        },
      ] = body['questions'] as [{ name: string; choices: [{ value: string }] }]
      const choice = { type: 'choice', name, choice: value, confidence: 1 }
      const answers = [{ ...choice, probabilities: [{ value, probability: 1 }] }]
      sendJson(response, { answers, model: 'm', usage: { input_tokens: 9, output_tokens: 1 } })
    })
    const json = { type: 'input_json', data: { to: [mail] } }
    const levels = [{ label: mail, description: mail }]
    const answer = await room.post('/v1/decisions', {
      model: 'm-chat',
      safety_identifier: mail,
      input: [
        { role: 'user', content: [json, { type: 'input_text', text: mail }] },
        { type: 'custom_tool_call', call_id: 'c', name: 'f', input: mail },
        { type: 'custom_tool_call_output', call_id: 'c', output: mail },
      ],
      questions: [
        {
          type: 'choice',
          name: mail,
          instructions: [json],
          choices: [{ value: mail, description: mail }],
        },
        { type: 'score', instructions: mail, levels },
      ],
    })
    expect(answer.status).toBe(200)
    expect(room.upstream.calls[0]?.sent).not.toContain(mail)
    expect(await answer.json()).toMatchObject({
      answers: [{ name: mail, choice: mail, probabilities: [{ value: mail }] }],
    })
  })

  it('labels and noted objects are masked, too', async () => {
    room.upstream.behave(echo({ isPlain: true }))
    room.upstream.calls.length = 0
    await simple('m-chat', 'Hi', { metadata: { owner: { mails: [mail] } } })
    await room.post('/v1beta/models/m-gem:generateContent', {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      labels: { owner: mail },
    })
    expect(room.upstream.calls).toHaveLength(2)
    for (const { sent } of room.upstream.calls) expect(sent).not.toContain(mail)
  })
})

describe('the options', () => {
  it('leave other models, other groups and kinds that are off as they are', async () => {
    room.upstream.behave(echo({ isPlain: true }))
    await set('PiiMaskingModels', 'm-chat, m-gem*')
    room.upstream.calls.length = 0
    await simple('m-free', 'ada@example.com')
    await simple('m-chat', 'ada@example.com')
    await set('PiiMaskingGroups', 'vip')
    await simple('m-chat', 'ada@example.com')
    await set('PiiMaskingGroups', 'default')
    await set('PiiMaskingIp', 'false')
    await simple('m-chat', 'ada@example.com 10.0.0.1')
    expect(room.upstream.calls.map(({ sent }) => /"content":"([^"]*)"/.exec(sent)?.[1])).toEqual([
      'ada@example.com',
      '[EMAIL_1]',
      'ada@example.com',
      '[EMAIL_1] 10.0.0.1',
    ])
  })

  it('leave the marks in answers when nothing is to be put back', async () => {
    room.upstream.behave(echo({ isPlain: true }))
    await set('PiiMaskingRestore', 'false')
    expect(await (await simple('m-chat', 'Hi ada@example.com')).text()).toContain('Hi [EMAIL_1]')
  })

  it('refuse calls in place of masking them, in the words of each dialect, for nothing', async () => {
    await set('PiiMaskingAction', 'refuse')
    room.upstream.calls.length = 0
    for (const dialect of dialects) {
      const response = await ask(dialect, 'm-chat', false, 'Mail ada@example.com, 10.0.0.1')
      expect(response.status).toBe(400)
      expect(await response.text()).toContain('personal data (e-mail address, IP address)')
    }
    expect(room.upstream.calls).toEqual([])
  })

  it('take no pattern that is none', async () => {
    await expect(set('PiiMaskingPatterns', 'ok\n(a)\\1')).rejects.toThrow(/Line 2/)
  })
})

describe('a call that goes on from a stored one', () => {
  it('has marks that are told from those of the calls before', async () => {
    room.upstream.behave(echo({ isPlain: true }))
    room.upstream.calls.length = 0
    const say = async (input: string, more: object = {}) => {
      const response = await room.post('/v1/responses', { model: 'gpt-5-codex-m', input, ...more })
      return (await response.json()) as { id: string }
    }
    const { id } = await say('ada@example.com')
    await say('bob@example.com', { previous_response_id: id })
    const [first, second] = room.upstream.calls.map(({ sent }) => sent)
    expect(first).toContain('[EMAIL_1]')
    expect(second).toMatch(/\[EMAIL_[0-9A-Z]{6}_1\]/)
  })
})

describe('a hostile megabyte', () => {
  it.each(['[EMAIL_', 'a@', '1 ', 'DE89 ', '+1-', '::1'])(
    'of %j takes no longer than others',
    async (piece) => {
      room.upstream.behave(echo({ isPlain: true }))
      // The gateway's, which runs within this process: what a clock shows depends on what else the machine does.
      const begin = process.cpuUsage()
      const response = await simple('m-chat', piece.repeat(1_000_000 / piece.length))
      await response.text()
      const { user, system } = process.cpuUsage(begin)
      expect((user + system) / 1_000_000).toBeLessThan(10)
    },
  )
})

describe('what admins see', () => {
  it('are figures and no texts', async () => {
    const before = await room.app.root.get<MaskingFigures>('/api/pii-masking/')
    room.upstream.behave(echo({ isPlain: true }))
    await (await simple('m-chat', 'ada@example.com EMP-123456 EMP-123457')).text()
    const after = await room.app.root.get<MaskingFigures>('/api/pii-masking/')
    expect(after.calls.week).toBe(before.calls.week + 1)
    const found = ({ days }: MaskingFigures, kind: CountedKind) =>
      days.reduce((sum, { kinds }) => sum + (kinds[kind] ?? 0), 0)
    expect(found(after, 'custom')).toBe(found(before, 'custom') + 2)
    expect(found(after, 'email')).toBe(found(before, 'email') + 1)
    expect(JSON.stringify(after)).not.toMatch(/ada@|EMP-/)
  })

  it('can be tried on a text', async () => {
    const trial = await room.app.root.post<Trial>('/api/pii-masking/try', {
      text: 'To a@b.io, EMP-123456',
    })
    expect(trial).toEqual({ text: 'To [EMAIL_1], [STAFF_1]', kinds: { email: 1, custom: 1 } })
  })

  it('is for admins, with whole bodies only', async () => {
    const { client } = room.customer
    expect(await client.call('GET', '/api/pii-masking/')).toMatchObject({ success: false })
    expect(await client.call('POST', '/api/pii-masking/try', { text: 'x' })).toMatchObject({
      success: false,
    })
    for (const body of [
      {},
      { text: '' },
      { text: 'x'.repeat(20_001) },
      { text: 1 },
      { text: 'a\0' },
      { text: 'a', more: 1 },
    ])
      expect(
        (await room.app.root.call('POST', '/api/pii-masking/try', body)).success,
        JSON.stringify(body).slice(0, 50),
      ).toBe(false)
  })
})
