import { describe, expect, it } from 'vitest'
import { testAdapter } from '#test'
import chat from '../../test/fixtures/signatures/tc3-hunyuan-chat.json' with { type: 'json' }
import rollover from '../../test/fixtures/signatures/tc3-hunyuan-date-rollover.json' with {
  type: 'json',
}
import published from '../../test/fixtures/signatures/tc3-published-canonical.json' with {
  type: 'json',
}
import tencent from './index.ts'
import { tc3Authorization, tc3Signature, tc3Texts } from './sign.ts'
import { StopCutter } from './stop-cutter.ts'

testAdapter(tencent, new URL('./cases/', import.meta.url))

describe('the TC3 signature', () => {
  it.each([chat, rollover])('is that of $name', ({ input, expected }) => {
    const given = { ...input, timestampSeconds: input.timestamp }
    expect(tc3Texts(given)).toMatchObject({
      hashedPayload: expected.hashedPayload,
      hashedCanonicalRequest: expected.hashedCanonicalRequest,
      stringToSign: expected.stringToSign,
    })
    expect(tc3Authorization(given)).toBe(expected.authorization)
  })

  it('is that of the worked example in the documents', () => {
    const { input, expected } = published
    const texts = tc3Texts({ ...input, timestampSeconds: input.timestamp })
    expect(texts).toMatchObject({
      hashedPayload: expected.hashedPayload,
      hashedCanonicalRequest: expected.hashedCanonicalRequest,
      stringToSign: expected.stringToSign,
    })
    const key = Buffer.from(input.derivedSigningKeyHex, 'hex')
    expect(tc3Signature(key, texts.stringToSign)).toBe(expected.signature)
  })
})

describe('a stop text that the upstream still writes', () => {
  it.each([
    { pieces: ['one EN', 'D'], stops: ['END'], shown: 'one ' },
    { pieces: ['one END two'], stops: ['END'], shown: 'one END two' },
    { pieces: ['one'], stops: [], shown: 'one' },
    { pieces: ['a', '\n'], stops: ['##', '\n'], shown: 'a' },
  ])('is cut off: $pieces with $stops shows $shown', ({ pieces, stops, shown }) => {
    const cutter = new StopCutter(stops)
    expect(pieces.map((piece) => cutter.push(piece)).join('') + cutter.end()).toBe(shown)
  })
})
