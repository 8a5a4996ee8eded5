import { describe, expect, it } from 'vitest'
import { encodeEmbeddings } from './encode-embeddings.ts'

const answer = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [1, -0.5] }] }

describe('encoding embeddings for the client', () => {
  it('writes little-endian float32 when base64 was asked for', () => {
    expect(encodeEmbeddings(answer, { encoding_format: 'base64' })).toEqual({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: 'AACAPwAAAL8=' }],
    })
  })

  it.each([{}, { encoding_format: 'float' }, undefined])('leaves numbers for %o', (asked) => {
    expect(encodeEmbeddings(answer, asked)).toBe(answer)
  })

  it('leaves what the upstream encoded itself', () => {
    const encoded = { data: [{ embedding: 'AACAPw==' }] }
    expect(encodeEmbeddings(encoded, { encoding_format: 'base64' })).toBe(encoded)
  })
})
