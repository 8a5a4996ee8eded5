import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SessionHandle } from '../contract/http.ts'
import { keepChallenge, takeChallenge } from './passkey-challenges.ts'

function openSession(): SessionHandle {
  const values = new Map<string, unknown>()
  return {
    id: 'one',
    change: async (key: string, next: (value: unknown) => unknown) =>
      void values.set(key, next(values.get(key))),
  } as unknown as SessionHandle
}

const answerTo = (challenge: string) =>
  Buffer.from(JSON.stringify({ challenge })).toString('base64url')

describe('the challenge of a passkey', () => {
  const kept = { challenge: 'abc', purpose: 'proof', userId: 7 } as const

  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('is answered once', async () => {
    const session = openSession()
    await keepChallenge(session, kept)
    vi.advanceTimersByTime(299_999)
    expect(await takeChallenge(session, answerTo('abc'), kept)).toBe('abc')
    expect(await takeChallenge(session, answerTo('abc'), kept)).toBeUndefined()
  })

  it.each([
    { what: 'another purpose', about: { ...kept, purpose: 'second-factor' } as const, atMs: 0 },
    { what: 'another user', about: { ...kept, userId: 8 }, atMs: 0 },
    { what: 'a time five minutes later', about: kept, atMs: 300_000 },
  ])('is not for $what', async ({ about, atMs }) => {
    const session = openSession()
    await keepChallenge(session, kept)
    vi.advanceTimersByTime(atMs)
    expect(await takeChallenge(session, answerTo('abc'), about)).toBeUndefined()
  })

  it.each(['abcd', '', 7, null])('is not the one that an answer to %j names', async (named) => {
    const session = openSession()
    await keepChallenge(session, kept)
    const answer = answerTo(named as string)
    expect(await takeChallenge(session, answer, kept)).toBeUndefined()
    expect(await takeChallenge(session, 'no JSON', kept)).toBeUndefined()
  })
})
