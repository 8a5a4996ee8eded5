import { describe, expect, it } from 'vitest'
import { narrowedTo } from './narrowing.ts'

describe('a rule that is narrowed to groups and models', () => {
  it.each([
    { groups: '', models: '', means: true },
    { groups: 'vip, default', models: '', means: true },
    { groups: 'vip', models: '', means: false },
    { groups: '', models: 'gpt-4o', means: false },
    { groups: '', models: ' , gpt-4o-*', means: true },
    { groups: 'default', models: 'claude-*,gpt-4o-mini', means: true },
    { groups: 'vip', models: 'gpt-4o-mini', means: false },
  ])('to "$groups" and "$models": $means', ({ groups, models, means }) => {
    const call = { group: 'default', model: 'gpt-4o-mini' }
    expect(narrowedTo({ groups, models })(call)).toBe(means)
  })
})
