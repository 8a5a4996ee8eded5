import { expect, it } from 'vitest'
import { exampleModelOf } from './example-model.ts'

it.each([
  { what: 'the usual one', models: ['a-chat', 'gpt-6-luna'], model: 'gpt-6-luna' },
  { what: 'one of the same maker', models: ['bge-m3', 'claude-x', 'gpt-4o'], model: 'gpt-4o' },
  { what: 'one to chat with', models: ['bge-m3', 'my-house-model'], model: 'my-house-model' },
  { what: 'no picture of the same maker', models: ['gpt-image-2', 'qwen-max'], model: 'qwen-max' },
  { what: 'what there is', models: ['text-embedding-3-small'], model: 'text-embedding-3-small' },
  { what: 'the usual one for want of any', models: [], model: 'gpt-6-luna' },
])('takes $what for an example', ({ models, model }) => {
  expect(exampleModelOf(models, 'gpt-6-luna')).toBe(model)
})
