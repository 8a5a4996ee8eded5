import { describe, expect, it } from 'vitest'
import type { OptionReader } from '../contract/adapter.ts'
import { resolveEffortSuffix } from './openai/reasoning-models.ts'
import { resolveClaudeSuffix, resolveGeminiSuffix } from './thinking-suffix.ts'

function options(isEnabled: boolean): OptionReader {
  const values: Record<string, unknown> = {
    'claude.thinking_adapter_enabled': isEnabled,
    'claude.thinking_adapter_budget_tokens_percentage': 0.8,
    'gemini.thinking_adapter_enabled': isEnabled,
    'gemini.thinking_adapter_budget_tokens_percentage': 0.6,
  }
  return { get: <T>(key: string) => values[key] as T }
}

describe('the suffix of a model name', () => {
  it.each([
    [
      'claude-3-7-sonnet-20250219-thinking',
      { model: 'claude-3-7-sonnet-20250219', thinking: { budgetShare: 0.8 } },
    ],
    ['claude-opus-4-6-high', { model: 'claude-opus-4-6', effort: 'high' }],
    ['claude-sonnet-5-max', { model: 'claude-sonnet-5', effort: 'max' }],
    ['claude-sonnet-4-5-high', { model: 'claude-sonnet-4-5-high' }],
    ['claude-opus-4-6', { model: 'claude-opus-4-6' }],
  ])('%s of Claude means %j', (model, resolved) => {
    expect(resolveClaudeSuffix(model, options(true))).toEqual(resolved)
  })

  it.each([
    ['gemini-2.5-flash-thinking', { model: 'gemini-2.5-flash', thinking: { budgetShare: 0.6 } }],
    ['gemini-2.5-flash-thinking-8192', { model: 'gemini-2.5-flash', thinking: { budget: 8192 } }],
    ['gemini-2.5-flash-nothinking', { model: 'gemini-2.5-flash', thinking: { off: true } }],
    ['gemini-3-flash-preview-low', { model: 'gemini-3-flash-preview', effort: 'low' }],
    ['gemini-2.5-flash-low', { model: 'gemini-2.5-flash-low' }],
    ['gemini-2.5-pro', { model: 'gemini-2.5-pro' }],
  ])('%s of Gemini means %j', (model, resolved) => {
    expect(resolveGeminiSuffix(model, options(true))).toEqual(resolved)
  })

  it.each([
    ['o3-mini-high', { model: 'o3-mini', effort: 'high' }],
    ['gpt-5-minimal', { model: 'gpt-5', effort: 'minimal' }],
    ['gpt-5.2-max', { model: 'gpt-5.2', effort: 'max' }],
    ['gpt-5.1-codex-max', { model: 'gpt-5.1-codex-max' }],
    ['gpt-4o-high', { model: 'gpt-4o-high' }],
  ])('%s of OpenAI means %j', (model, resolved) => {
    expect(resolveEffortSuffix(model)).toEqual(resolved)
  })

  it('stays part of the name where the option is off', () => {
    for (const model of ['gemini-2.5-flash-thinking', 'gemini-2.5-flash-nothinking']) {
      expect(resolveGeminiSuffix(model, options(false))).toEqual({ model })
    }
    expect(resolveClaudeSuffix('claude-opus-4-1-thinking', options(false))).toEqual({
      model: 'claude-opus-4-1-thinking',
    })
  })
})
