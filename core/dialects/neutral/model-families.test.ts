import { expect, it } from 'vitest'
import type { Effort } from '../../contract/neutral.ts'
import { nearestEffort } from './effort.ts'
import { openaiEfforts } from './model-families.ts'

it.each<[string, Effort, Effort]>([
  ['gpt-5', 'none', 'minimal'],
  ['gpt-5-mini', 'max', 'high'],
  ['gpt-5.1', 'minimal', 'none'],
  ['gpt-5.4', 'max', 'xhigh'],
  ['gpt-5.6', 'max', 'max'],
  ['openai/gpt-5.6-sol', 'max', 'max'],
  ['gpt-6', 'max', 'max'],
  ['gpt-5-codex', 'none', 'low'],
  ['gpt-5.1-codex-mini', 'xhigh', 'high'],
  ['gpt-5.1-codex-max', 'max', 'xhigh'],
  ['gpt-5.3-codex', 'none', 'low'],
  ['gpt-5-pro', 'low', 'high'],
  ['gpt-5.2-pro', 'none', 'medium'],
  ['o3', 'xhigh', 'high'],
  ['qwen3-max', 'minimal', 'minimal'],
])('asks %s for the effort that it has nearest to %s', (model, wish, effort) => {
  expect(nearestEffort(wish, openaiEfforts(model))).toBe(effort)
})
