import { describe, expect, it } from 'vitest'
import type { ChatRequest } from '#core'
import { testAdapter } from '#test'
import { imageBlock } from './converse-media.ts'
import { ConverseStreamReader } from './converse-stream.ts'
import awsBedrock from './index.ts'

testAdapter(awsBedrock, new URL('./cases/', import.meta.url))

describe.each(['constructor', '__proto__'])('the word %s, which every object has', (word) => {
  it('is no kind of picture', () => {
    const image = { type: 'base64', mediaType: word, data: 'AAAA' } as const
    expect(() => imageBlock(image, new Map())).toThrow(`no file of type ${word}`)
  })

  it('is no event of a stream', () => {
    const reader = new ConverseStreamReader({ tools: [], turns: [] } as unknown as ChatRequest)
    expect(reader.push({ event: word, data: '{}', raw: '' })).toEqual([])
  })
})
