import { expect, it } from 'vitest'
import { testAdapter } from '#test'
import nvidia from './index.ts'

testAdapter(nvidia, new URL('./cases/', import.meta.url))

// Both answered 410 "end of life" or had left /v1/models by September 2026.
it('does not offer what NVIDIA ended', () => {
  const ended = ['meta/llama-3.3-70b-instruct', 'deepseek-ai/deepseek-v3.1']
  expect(nvidia.models.filter((name) => ended.includes(name))).toEqual([])
})
