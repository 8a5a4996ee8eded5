import { expect, it } from 'vitest'
import { codecs } from '../index.ts'
import { readUsage } from './usage.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const reported = {
  promptTokenCount: 1_000,
  cachedContentTokenCount: 900,
  candidatesTokenCount: 10,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 60 },
    { modality: 'AUDIO', tokenCount: 940 },
  ],
}

it('counts sound that was cached with the cache, and not as sound again', () => {
  const cacheTokensDetails = [{ modality: 'AUDIO', tokenCount: 900 }]
  const usage = readUsage({ ...reported, cacheTokensDetails })
  expect(usage).toMatchObject({ input: 1_000, cacheRead: 900, inputAudio: 40 })
})

it('takes all sound as heard anew where nothing says what was cached', () => {
  expect(readUsage(reported)).toMatchObject({ cacheRead: 900, inputAudio: 940 })
})

it('is known before the answer begins, where Anthropic clients read the length of the prompt', () => {
  const chunk = { candidates: [{ content: { parts: [{ text: 'Hi' }] } }], usageMetadata: reported }
  const parser = codecs.gemini.streamParser()
  const writer = codecs['anthropic-messages'].streamWriter(answerMeta())
  const first = parser.push({ event: undefined, data: JSON.stringify(chunk), raw: '' })
  const written = first.map((event) => writer.write(event)).join('')
  expect(written).toContain('"input_tokens":100,')
})
