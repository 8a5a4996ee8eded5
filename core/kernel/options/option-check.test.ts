import { describe, expect, it } from 'vitest'
import { Type } from '@sinclair/typebox'
import { defineOptions, type OptionDefinitions } from '../../contract/options.ts'
import { soundValue } from './option-check.ts'

const schema = Type.String({ default: '' })

const saving = (check: unknown) => {
  const group = { ...defineOptions({ Word: schema }), check } as OptionDefinitions
  return () => soundValue('Word', 'hello', { schema, group, owner: 'acme' })
}

describe('the check of a plugin', () => {
  it.each([undefined, null])('that gives %j lets the value pass', (given) => {
    expect(saving(() => given)()).toBe('hello')
  })

  it('refuses in its own words', () => {
    const refuse = saving(() => ({ en: 'Too short.', zh: '太短。' }))
    expect(refuse).toThrow(expect.objectContaining({ code: 'options.invalid_value' }))
    expect(refuse).toThrow('Too short.')
  })

  it.each([
    ['throws', () => JSON.parse('')],
    ['gives a flag', () => true],
    ['gives a text', () => 'Too short.'],
    ['gives one language', () => ({ en: 'Too short.' })],
    ['gives a promise', () => Promise.reject(new Error('later'))],
  ])('that %s is named for it', (_what, check) => {
    expect(saving(check)).toThrow(expect.objectContaining({ code: 'options.check_failed' }))
    expect(saving(check)).toThrow('the plugin "acme" fails to check it')
  })
})
