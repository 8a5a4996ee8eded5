import { describe, expect, it } from 'vitest'
import { clamped, onlyKnown, renamed, without, withoutRefused } from './body-edits.ts'

const body = Object.freeze({ top_p: 1, stop: ['a'] })

describe('edits of a body', () => {
  it('give the same object when there is nothing to change', () => {
    expect(without(body, 'seed')).toBe(body)
    expect(clamped(body, 'top_p', { max: 1 })).toBe(body)
    expect(clamped(body, 'temperature', { max: 1 })).toBe(body)
    expect(clamped(body, 'stop', { max: 1 })).toBe(body)
    expect(renamed(body, 'max_tokens', 'limit')).toBe(body)
  })

  it('leave fields out', () => expect(without(body, 'stop', 'seed')).toEqual({ top_p: 1 }))

  it('bring numbers into their range', () => {
    expect(clamped(body, 'top_p', { max: 0.99 })).toEqual({ top_p: 0.99, stop: ['a'] })
    expect(clamped({ top_p: 0 }, 'top_p', { min: 0.01 })).toEqual({ top_p: 0.01 })
  })

  it('rename a field, and keep what the new name says already', () => {
    expect(renamed({ a: 1 }, 'a', 'b')).toEqual({ b: 1 })
    expect(renamed({ a: 1, b: 2 }, 'a', 'b')).toEqual({ b: 2 })
  })
})

describe('fields that an upstream refuses', () => {
  it('are taken out and named, those that the client sent', () => {
    const named: string[] = []
    expect(withoutRefused(body, ['stop', 'seed'], (field) => named.push(field))).toEqual({
      top_p: 1,
    })
    expect(named).toEqual(['stop'])
  })

  it('are all but the known ones where the upstream is strict', () => {
    const named: string[] = []
    const known = new Set(['top_p'])
    expect(onlyKnown(body, known, (field) => named.push(field))).toEqual({ top_p: 1 })
    expect(named).toEqual(['stop'])
    expect(onlyKnown(body, new Set(['top_p', 'stop']), () => undefined)).toBe(body)
  })
})
