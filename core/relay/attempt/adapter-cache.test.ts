import { describe, expect, it } from 'vitest'
import { AdapterCaches } from './adapter-cache.ts'

describe('the cache of an adapter', () => {
  it('makes a value once for all who ask at the same time', async () => {
    const cache = new AdapterCaches().of('a')
    let made = 0
    const make = () => Promise.resolve({ value: ++made, ttlMs: 60_000 })
    expect(await Promise.all([cache.remember('k', make), cache.remember('k', make)])).toEqual([
      1, 1,
    ])
    expect(await cache.remember('k', make)).toBe(1)
  })

  it('makes it anew, once, for those who waited for a call that was given up', async () => {
    const cache = new AdapterCaches().of('a')
    const givenUp = cache.remember('k', () => Promise.reject(new Error('the client left')))
    let made = 0
    const make = () => Promise.resolve({ value: ++made, ttlMs: 60_000 })
    const others = [cache.remember('k', make), cache.remember('k', make)]
    await expect(givenUp).rejects.toThrow('the client left')
    expect(await Promise.all(others)).toEqual([1, 1])
  })

  it('makes it anew after it was forgotten, and keeps adapters apart', async () => {
    const caches = new AdapterCaches()
    let made = 0
    const make = () => Promise.resolve({ value: ++made, ttlMs: 60_000 })
    await caches.of('a').remember('k', make)
    expect(await caches.of('b').remember('k', make)).toBe(2)
    caches.of('a').forget('k')
    expect(await caches.of('a').remember('k', make)).toBe(3)
  })

  it('hands out a value that ends soon while a new one is made', async () => {
    const cache = new AdapterCaches().of('a')
    let made = 0
    const make = () => Promise.resolve({ value: ++made, ttlMs: 60_000, renewMs: 60_000 })
    expect(await cache.remember('k', make)).toBe(1)
    expect(await cache.remember('k', make)).toBe(1)
    expect(await cache.remember('k', make)).toBe(2)
  })

  it('keeps the old value when its renewal fails', async () => {
    const cache = new AdapterCaches().of('a')
    await cache.remember('k', () => Promise.resolve({ value: 1, ttlMs: 60_000, renewMs: 60_000 }))
    const fail = () => Promise.reject(new Error('no'))
    expect(await cache.remember('k', fail)).toBe(1)
    expect(await cache.remember('k', fail)).toBe(1)
    const throwing = () => {
      throw new Error('at once')
    }
    expect(await cache.remember('k', throwing)).toBe(1)
  })
})
