import { describe, expect, it } from 'vitest'
import type { ChatRequest } from '../../contract/neutral.ts'
import { codecs } from '../../dialects/index.ts'
import { reportDropped, flatMessages } from './index.ts'

const request = (body: object): ChatRequest =>
  codecs['openai-chat'].parseRequest({ model: 'm', ...body }, {})

const toolRound = request({
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'done' },
    { role: 'user', content: 'and?' },
  ],
})

describe('a conversation as flat messages', () => {
  it('keeps order, roles, calls and the names of the tools that answer', () => {
    const flat = flatMessages(toolRound, { drop: () => undefined })
    expect(flat.map(({ role, text }) => [role, text])).toEqual([
      ['system', 'Be brief.'],
      ['user', 'a\nb'],
      ['assistant', ''],
      ['tool', 'done'],
      ['user', 'and?'],
    ])
    expect(flat[2]?.calls).toEqual([{ id: 'c1', name: 'f', arguments: '{}' }])
    expect(flat[3]).toMatchObject({ callId: 'c1', name: 'f' })
  })

  it('joins neighbours of one role where the upstream wants turns to alternate', () => {
    const { turns } = request({
      messages: ['a', 'b'].map((content) => ({ role: 'user', content })),
    })
    const flat = flatMessages(
      { ...toolRound, system: [], turns },
      { drop: () => undefined },
      {
        alternates: true,
      },
    )
    expect(flat.map(({ text }) => text)).toEqual(['a\nb'])
  })

  it('keeps images where they are taken, and tells of them elsewhere', () => {
    const dropped: string[] = []
    const context = { drop: (field: string) => void dropped.push(field) }
    const image = { type: 'image_url', image_url: { url: 'https://a.example/x.png' } }
    const asked = request({ messages: [{ role: 'user', content: [image] }] })
    const source = { type: 'url', url: 'https://a.example/x.png' }
    expect(flatMessages(asked, context, { takesImages: true })[0]?.images).toEqual([source])
    expect(dropped).toEqual([])
    expect(flatMessages(asked, context)[0]?.images).toEqual([])
    expect(dropped).toEqual(['image_url'])
  })

  it('tells of sound that cannot travel', () => {
    const dropped: string[] = []
    const audio = { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } }
    flatMessages(request({ messages: [{ role: 'user', content: [audio] }] }), {
      drop: (field) => void dropped.push(field),
    })
    expect(dropped).toEqual(['input_audio'])
  })
})

describe('fields that an upstream has no word for', () => {
  it('are told by their names, others are not', () => {
    const dropped: string[] = []
    const asked = request({
      messages: [{ role: 'user', content: 'a' }],
      temperature: 0.5,
      seed: 7,
      tools: [],
    })
    reportDropped(asked, ['temperature'], { drop: (field) => void dropped.push(field) })
    expect(dropped).toEqual(['seed'])
  })

  it('are told too where a result says that its tool failed', () => {
    const dropped: string[] = []
    const context = { drop: (field: string) => void dropped.push(field) }
    const asked = request({ messages: [{ role: 'user', content: 'a' }] })
    const result = { kind: 'tool_result' as const, callId: 'c', content: [], isError: true }
    asked.turns.push({ role: 'user', parts: [result] })
    reportDropped(asked, ['failures'], context)
    expect(dropped).toEqual([])
    reportDropped(asked, [], context)
    expect(dropped).toEqual(['is_error'])
  })
})
