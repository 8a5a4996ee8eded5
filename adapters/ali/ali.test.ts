import { expect, it } from 'vitest'
import { testAdapter } from '#test'
import ali from './index.ts'

testAdapter(ali, new URL('./cases/', import.meta.url))

// Source: alibabacloud.com/zh/notice; docs.apiyi.com, live updates of 11 October 2026.
it('does not offer what Alibaba withdrew in October 2026', () => {
  const withdrawn = ['qwen-turbo', 'qwen3-max', 'qwen3-coder-plus', 'qwen3-235b-a22b']
  expect(ali.models.filter((name) => withdrawn.includes(name))).toEqual([])
})
