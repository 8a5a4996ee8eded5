import { expect, it } from 'vitest'
import { readUsage } from './usage.ts'

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
