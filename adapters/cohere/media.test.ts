import { describe, expect, it } from 'vitest'
import type { ChatRequest, Part } from '#core'
import { toMessages } from './to-messages.ts'

const asked = (part: Part): ChatRequest => ({
  model: 'command-a',
  stream: false,
  includeUsage: false,
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Read this.' }, part] }],
  tools: [],
  hostedTools: [],
})

describe('what a model of text and images is given', () => {
  it.each<{ what: string; part: Part }>([
    {
      what: 'a PDF',
      part: {
        kind: 'file',
        source: { type: 'base64', mediaType: 'application/pdf', data: 'AA==' },
      },
    },
    { what: 'sound', part: { kind: 'audio', mediaType: 'audio/wav', data: 'AA==' } },
  ])('is no $what: the call is refused by its field', ({ part }) => {
    expect(() => toMessages(asked(part), new Set())).toThrow(/takes no/)
  })

  it('may be a document of text', () => {
    const part: Part = { kind: 'file', source: { type: 'text', text: 'Words.' } }
    expect(toMessages(asked(part), new Set())).toEqual([
      { role: 'user', content: 'Read this.\nWords.' },
    ])
  })

  it('holds the picture that a tool found, as the user would send it', () => {
    const source = { type: 'url', url: 'https://pictures.example/a.png' } as const
    const content: Part[] = [
      { kind: 'text', text: 'Found.' },
      { kind: 'image', source },
    ]
    const result: Part = { kind: 'tool_result', callId: 'c1', content }
    const [, user] = toMessages(asked(result), new Set())
    expect(user).toEqual({
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: source.url } },
        { type: 'text', text: 'Read this.' },
      ],
    })
  })
})
