import { describe, expect, it } from 'vitest'
import {
  fitEffort,
  thoughtsAsReasoning,
  withoutForcedCall,
  withThinkingSwitch,
  withThoughtsBack,
} from './thinking-edits.ts'

const nobody = () => undefined

describe('the effort that a client asks for', () => {
  it.each([
    { asked: 'high', known: ['low', 'high'] as const, sent: 'high' },
    { asked: 'none', known: ['low', 'high'] as const, sent: 'low' },
    { asked: 'medium', known: ['high', 'low'] as const, sent: 'high' },
    { asked: 'thorough', known: ['low'] as const, sent: 'thorough' },
  ])('$asked becomes $sent where there are $known', ({ asked, known, sent }) => {
    expect(fitEffort({ reasoning_effort: asked }, known, nobody)).toEqual({
      reasoning_effort: sent,
    })
  })

  it('is dropped by name where a model has none', () => {
    const dropped: string[] = []
    expect(fitEffort({ reasoning_effort: 'low' }, [], (field) => dropped.push(field))).toEqual({})
    expect(dropped).toEqual(['reasoning_effort'])
  })

  it('moves the switch, unless the client has moved it', () => {
    const off = { reasoning_effort: 'none', thinking: { type: 'disabled' } }
    expect(withThinkingSwitch({ reasoning_effort: 'none' })).toEqual(off)
    expect(withThinkingSwitch({ ...off, reasoning_effort: 'low' })).toEqual({
      ...off,
      reasoning_effort: 'low',
    })
  })
})

describe('a forced call of a model that thinks', () => {
  const forced = Object.freeze({ tool_choice: 'required' })

  it('is made without thinking where the client asked for none', () => {
    expect(withoutForcedCall(forced, true, nobody)).toEqual({
      ...forced,
      thinking: { type: 'disabled' },
    })
  })

  it.each([
    { canBeOff: true, thinking: { type: 'enabled' } },
    { canBeOff: false, thinking: undefined },
  ])('is the choice of the model otherwise: $canBeOff, $thinking', ({ canBeOff, thinking }) => {
    const dropped: string[] = []
    const body = { ...forced, thinking }
    const edited = withoutForcedCall(body, canBeOff, (field) => dropped.push(field))
    expect(edited).toEqual({ thinking })
    expect(dropped).toEqual(['tool_choice'])
  })

  it.each(['auto', 'none'])('is not what %s asks for', (choice) => {
    const body = { tool_choice: choice }
    expect(withoutForcedCall(body, true, nobody)).toBe(body)
  })
})

describe('thoughts of the history', () => {
  const conversation = (message: object) => ({
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b', ...message },
    ],
  })

  it.each([
    [{ reasoning_content: 'hm' }, { reasoning: 'hm' }],
    [{ reasoning_content: 'x', reasoning: 'hm' }, { reasoning: 'hm' }],
    [{ reasoning_content: '' }, {}],
    [{ reasoning_content: null, reasoning: 'hm' }, { reasoning: 'hm' }],
  ])('%o are told as %o', (sent, expected) => {
    expect(thoughtsAsReasoning(conversation(sent))).toEqual(conversation(expected))
  })

  it.each([
    [{}, { reasoning_content: ' ' }],
    [{ reasoning_content: '' }, { reasoning_content: ' ' }],
    [{ reasoning: 'hm' }, { reasoning: 'hm', reasoning_content: 'hm' }],
  ])('%o come back as %o', (sent, expected) => {
    expect(withThoughtsBack(conversation(sent))).toEqual(conversation(expected))
  })

  it('leave a conversation alone that has them, or needs none', () => {
    const whole = conversation({ reasoning_content: 'hm' })
    expect(withThoughtsBack(whole)).toBe(whole)
    const bare = conversation({})
    expect(thoughtsAsReasoning(bare)).toBe(bare)
  })
})
