import { describe, expect, it } from 'vitest'
import { AnswerStore } from './answer-store.ts'

const answer = (text: string) => ({ answer: text, units: 7 })

describe('the store of answers', () => {
  it('gives an answer back for its time', () => {
    let now = 0
    const store = new AnswerStore(() => now)
    store.set('k', answer('a'), 10_000)
    now = 999
    expect(store.get('k', 1_000)).toMatchObject({ answer: 'a', units: 7 })
    now = 1_000
    expect(store.get('k', 1_000)).toBeUndefined()
    expect(store.size).toEqual({ entries: 0, bytes: 0 })
  })

  it('drops what was used longest ago when it is full', () => {
    const store = new AnswerStore()
    for (const key of ['a', 'b', 'c', 'd']) store.set(key, answer('x'.repeat(100)), 2_000)
    store.get('a', 1e9)
    store.set('e', answer('x'.repeat(100)), 2_000)
    const kept = ['a', 'b', 'c', 'd', 'e'].filter((key) => store.get(key, 1e9))
    expect(kept).toEqual(['a', 'c', 'd', 'e'])
    expect(store.size.bytes).toBeLessThanOrEqual(2_000)
    store.trim(500)
    expect(store.size.entries).toBe(1)
  })

  it('keeps no answer that would drive out the others, and counts one that is replaced once', () => {
    const store = new AnswerStore()
    store.set('a', answer('x'), 2_000)
    const { bytes } = store.size
    store.set('a', answer('y'), 2_000)
    expect(store.size).toEqual({ entries: 1, bytes })
    store.set('b', answer('x'.repeat(200)), 2_000)
    expect(store.size.entries).toBe(1)
    store.clear()
    expect(store.size).toEqual({ entries: 0, bytes: 0 })
  })

  it('forgets what is too old without being asked for it', () => {
    let now = 0
    const store = new AnswerStore(() => now)
    store.set('a', answer('x'), 2_000)
    now = 500
    store.set('b', answer('x'), 2_000)
    store.sweep(500, 10)
    expect(store.size.entries).toBe(1)
  })
})
