import { describe, expect, it } from 'vitest'
import { readParamOverride } from '../../../channels/param-override.ts'
import type { JsonObject } from '../../../contract/json.ts'
import type { Attempt } from '../../attempt/attempt.ts'
import { withOverrides } from './apply-param-override.ts'

/** The body that goes upstream under such an override. */
function sent(given: JsonObject, body: JsonObject): JsonObject {
  const { override, faulty } = readParamOverride(given)
  expect(faulty).toBeUndefined()
  const context = { requestedModel: 'asked', model: 'up-1' }
  const before = structuredClone(body)
  const attempt = { channel: { paramOverride: override }, context } as unknown as Attempt
  const changed = withOverrides(body, attempt)
  expect(body).toEqual(before)
  return changed
}

const change = (operation: JsonObject, body: JsonObject) => sent({ operations: [operation] }, body)
const system = { role: 'system', content: ' Hi ' }
const body = { model: 'm', temperature: 1, stop: ['a', 'b'], messages: [system], 'a.b': 1 }

describe('fields of param_override', () => {
  it('replace those of the body, but never model and stream', () => {
    expect(sent({ temperature: 0, model: 'x', stream: true, top_k: 3 }, body)).toEqual({
      ...body,
      temperature: 0,
      top_k: 3,
    })
  })

  it('leave the body itself where there are none', () => {
    expect(sent({ model: 'x' }, body)).toBe(body)
  })

  it('may be called operations, where these are no list', () => {
    expect(sent({ operations: 5 }, {})).toEqual({ operations: 5 })
  })
})

describe('operations of param_override', () => {
  it.each<{ operation: JsonObject; changed: JsonObject }>([
    { operation: { mode: 'set', path: 'top_p', value: 0.5 }, changed: { top_p: 0.5 } },
    { operation: { mode: 'set', path: 'temperature', value: 0, keep_origin: true }, changed: {} },
    { operation: { mode: 'set', path: 'a.b.c', value: 1 }, changed: { a: { b: { c: 1 } } } },
    { operation: { mode: 'set', path: 'a\\.b', value: 2 }, changed: { 'a.b': 2 } },
    { operation: { mode: 'set', path: 'stop.-1', value: 'c' }, changed: { stop: ['a', 'c'] } },
    { operation: { mode: 'set', path: 'stop.2', value: 'c' }, changed: { stop: ['a', 'b', 'c'] } },
    { operation: { mode: 'set', path: 'stop.7', value: 'c' }, changed: {} },
    { operation: { mode: 'set', path: 'stop.x', value: 'c' }, changed: {} },
    { operation: { mode: 'set', path: 'temperature.x', value: 'c' }, changed: {} },
    { operation: { mode: 'delete', path: 'stop.0' }, changed: { stop: ['b'] } },
    { operation: { mode: 'delete', path: 'none.0' }, changed: {} },
    { operation: { mode: 'copy', from: 'stop.0', to: 'user' }, changed: { user: 'a' } },
    { operation: { mode: 'copy', from: 'none', to: 'user' }, changed: {} },
    { operation: { mode: 'append', path: 'stop', value: 'c' }, changed: { stop: ['a', 'b', 'c'] } },
    {
      operation: { mode: 'prepend', path: 'stop', value: ['c'] },
      changed: { stop: ['c', 'a', 'b'] },
    },
    {
      operation: { mode: 'append', path: 'metadata', value: { a: 1 } },
      changed: { metadata: { a: 1 } },
    },
    { operation: { mode: 'append', path: 'temperature', value: 1 }, changed: {} },
  ])('$operation', ({ operation, changed }) => {
    expect(change(operation, body)).toEqual({ ...body, ...changed })
  })

  it.each<{ operation: JsonObject; content: string }>([
    { operation: { mode: 'append', value: '!' }, content: ' Hi !' },
    { operation: { mode: 'prepend', value: '>' }, content: '> Hi ' },
    { operation: { mode: 'trim_prefix', value: ' H' }, content: 'i ' },
    { operation: { mode: 'trim_suffix', value: ' ' }, content: ' Hi' },
    { operation: { mode: 'ensure_prefix', value: ' ' }, content: ' Hi ' },
    { operation: { mode: 'ensure_suffix', value: '.' }, content: ' Hi .' },
    { operation: { mode: 'trim_space' }, content: 'Hi' },
    { operation: { mode: 'to_lower' }, content: ' hi ' },
    { operation: { mode: 'to_upper' }, content: ' HI ' },
    { operation: { mode: 'replace', from: 'Hi', to: '$&' }, content: ' $& ' },
    { operation: { mode: 'regex_replace', from: '(?i)h(i)', to: '<$1$$>' }, content: ' <i$> ' },
    {
      operation: { mode: 'regex_replace', from: '(?P<a>H)', to: '${a}$a${1}$9' },
      content: ' HHHi ',
    },
    { operation: { mode: 'regex_replace', from: '[a-z]*', to: '-' }, content: '- -H- -' },
    { operation: { mode: 'regex_replace', from: '^\\s+|\\s+$', to: '' }, content: 'Hi' },
    { operation: { mode: 'regex_replace', from: 'x', to: '' }, content: ' Hi ' },
  ])('of a text: $operation', ({ operation, content }) => {
    const path = 'messages.0.content'
    expect(change({ ...operation, path }, body)).toEqual({
      ...body,
      messages: [{ ...system, content }],
    })
  })

  it('move, one after the other', () => {
    const operations = [
      { mode: 'move', from: 'messages.0.content', to: 'system' },
      { mode: 'delete', path: 'messages.0' },
      { mode: 'trim_space', path: 'system' },
    ]
    expect(sent({ temperature: 0, operations }, body)).toEqual({
      ...body,
      temperature: 0,
      system: 'Hi',
      messages: [],
    })
  })

  it('put objects together, what is there before or after', () => {
    const given = { metadata: { a: 1, b: 1 } }
    const value = { b: 2, c: 2 }
    const append = { mode: 'append', path: 'metadata', value }
    expect(change(append, given)).toEqual({ metadata: { a: 1, b: 2, c: 2 } })
    expect(change({ ...append, keep_origin: true }, given)).toEqual({
      metadata: { a: 1, b: 1, c: 2 },
    })
  })

  it('make no text of more than 16 MiB out of a client’s', () => {
    const given = { user: 'a'.repeat(300) }
    const replace = { mode: 'replace', path: 'user', from: 'a', to: 'b'.repeat(60_000) }
    expect(change(replace, given)).toEqual(given)
  })

  it('match no longer than a moment, whatever texts and patterns are', () => {
    const text = 'a'.repeat(200_000)
    const slow = { mode: 'regex_replace', path: 'user', from: '(?:(?:a?){30}){30}a{900}', to: 'b' }
    const quick = { ...slow, from: 'a', to: 'b'.repeat(1000) }
    const operations = Array.from({ length: 99 }, (_, at) => (at % 2 ? slow : quick))
    expect(sent({ operations }, { user: text })).toEqual({ user: text })
    const short = text.slice(0, 50_000)
    expect(change({ ...quick, to: 'b' }, { user: short })).toEqual({ user: 'b'.repeat(50_000) })
  })

  it('match no longer where each match reads on to the end of the text', () => {
    const user = 'a'.repeat(30_000)
    const far = { mode: 'regex_replace', path: 'user', from: 'a(?:.*b)?', to: '-' }
    expect(sent({ operations: [far, { ...far, from: 'a' }] }, { user })).toEqual({ user })
    expect(change(far, { user: 'aaacab' })).toEqual({ user: '-' })
  })

  it('copy no more than 16 MiB, also where each copy doubles the next', () => {
    const copies = Array.from({ length: 40 }, (_, at) => ({
      mode: 'copy',
      from: 'metadata',
      to: `metadata.x${at}`,
    }))
    const operations = [...copies, { mode: 'set', path: 'user', value: 'us' }]
    const changed = sent({ operations }, { metadata: { a: 'b' } })
    expect(changed['user']).toBe('us')
    expect(JSON.stringify(changed).length).toBeLessThan(32 * 1_048_576)
  })

  it('take names of objects for fields like others', () => {
    const changed = change({ mode: 'set', path: '__proto__.x', value: 1 }, {})
    expect(Object.keys(changed)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(changed)).toBe(Object.prototype)
    expect(change({ mode: 'copy', from: 'constructor.name', to: 'user' }, {})).toEqual({})
  })
})

describe('conditions of an operation', () => {
  const met = (conditions: JsonObject[], logic?: string) =>
    'x' in change({ mode: 'set', path: 'x', value: 1, conditions, ...(logic && { logic }) }, body)

  it.each<[JsonObject, boolean]>([
    [{ path: 'temperature', mode: 'full', value: 1 }, true],
    [{ path: 'temperature', value: '1' }, false],
    [{ path: 'upstream_model', mode: 'prefix', value: 'up-' }, true],
    [{ path: 'original_model', mode: 'suffix', value: 'ed' }, true],
    [{ path: 'original_model', mode: 'contains', value: 'up' }, false],
    [{ path: 'stop', mode: 'contains', value: 'b' }, true],
    [{ path: 'temperature', mode: 'gt', value: 1 }, false],
    [{ path: 'temperature', mode: 'gte', value: 1 }, true],
    [{ path: 'temperature', mode: 'lt', value: 2 }, true],
    [{ path: 'temperature', mode: 'lte', value: 0, invert: true }, true],
    [{ path: 'none', mode: 'full', value: 1, invert: true }, false],
    [{ path: 'none', mode: 'full', value: 1, pass_missing_key: true }, true],
  ])('%j', (condition, holds) => {
    expect(met([condition])).toBe(holds)
  })

  it.each([{ toString: 1, valueOf: 1 }, [2], true, '', null])(
    'of order hold for numbers only, not for a client’s %j',
    (temperature) => {
      const conditions = ['gt', 'lte'].map((mode) => ({ path: 'temperature', mode, value: 1 }))
      const operation = { mode: 'set', path: 'x', value: 1, conditions }
      expect(change(operation, { temperature })).toEqual({ temperature })
    },
  )

  it('ask the gateway for the names of models, not a client that sends fields called so', () => {
    const conditions = [{ path: 'original_model', value: 'asked' }]
    const operation = { mode: 'set', path: 'x', value: 1, conditions }
    const given = { original_model: 'other' }
    expect(change(operation, given)).toEqual({ ...given, x: 1 })
  })

  it('hold one for all, or all with AND', () => {
    const pair = [
      { path: 'temperature', value: 1 },
      { path: 'temperature', value: 2 },
    ]
    expect(met(pair)).toBe(true)
    expect(met(pair, 'AND')).toBe(false)
  })
})

describe('an operation that is none', () => {
  it.each<JsonObject>([
    { path: 'a' },
    { mode: 'regex_replace', path: 'a', from: '(', to: '' },
    { mode: 'regex_replace', path: 'a', from: '(a)\\1', to: '' },
    { mode: 'regex_replace', path: 'a', from: 'a'.repeat(1001), to: '' },
    { mode: 'regex_replace', path: 'a', from: 'a{1000}'.repeat(5), to: '' },
    { mode: 'set', value: 1 },
    { mode: 'set', path: 'a..b', value: 1 },
    { mode: 'set', path: 'model', value: 'x' },
    { mode: 'move', from: 'stream', to: 'x' },
    { mode: 'move', to: 'x' },
    { mode: 'replace', path: 'a', from: '', to: 'x' },
    { mode: 'trim_prefix', path: 'a' },
    { mode: 'set', path: 'a', value: 1, conditions: 'all' },
    { mode: 'set', path: 'a', value: 1, logic: { toString: 1 } },
    { mode: 'set', path: 'a', value: 1, conditions: [{ path: 'b', mode: 'like', value: 1 }] },
  ])('is named by its position: %j', (operation) => {
    const operations = [{ mode: 'delete', path: 'a' }, operation]
    expect(readParamOverride({ operations }).faulty).toBe(2)
  })

  it('is the hundred and first', () => {
    const operations = Array.from({ length: 101 }, () => ({ mode: 'delete', path: 'a' }))
    expect(readParamOverride({ operations }).faulty).toBe(101)
  })
})
