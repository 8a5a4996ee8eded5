import { describe, expect, it } from 'vitest'
import { findMaker } from './find-maker.ts'

const makers = [
  { name: 'OpenAI', models: ['gpt', 'o1', 'text-embedding-3'] },
  { name: 'Qwen', models: ['qwen', 'text-embedding-v'] },
  { name: 'DeepSeek', models: ['deepseek'] },
  { name: 'Anthropic', models: ['claude'] },
  { name: 'Meta', models: ['llama', 'meta-llama'] },
]

describe('who makes a model', () => {
  it.each([
    ['gpt-4.1-mini', 'OpenAI'],
    ['GPT-4o', 'OpenAI'],
    ['o1', 'OpenAI'],
    ['text-embedding-v3', 'Qwen'],
    ['text-embedding-3-large', 'OpenAI'],
    ['qwen2.5-72b-instruct', 'Qwen'],
    ['deepseek-r1-distill-qwen-7b', 'DeepSeek'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'Anthropic'],
    ['@cf/meta/llama-3.1-8b-instruct', 'Meta'],
    ['accounts/fireworks/models/deepseek-v3', 'DeepSeek'],
    ['meta-llama/unheard-of', 'Meta'],
  ])('of %s is %s', (model, name) => {
    expect(findMaker(makers, model)?.name).toBe(name)
  })

  it.each(['', 'my-model', 'nogpt', '///'])('of %j is not known', (model) => {
    expect(findMaker(makers, model)).toBeUndefined()
  })
})
