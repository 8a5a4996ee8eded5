// Guesses at secrets: counted before they are judged, bounded for each caller and slowed down for each secret, so that nobody can lock its owner out.
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { errorType } from '../contract/errors.ts'
import type { Guess, GuessService, RateLimitService } from '../contract/services.ts'
import { clientNetwork } from '../net/client-network.ts'

const tooManyGuesses = errorType<{ minutes: number }>('guesses.too_many', 429, {
  en: 'Too many tries. Try again in {minutes} min.',
  zh: '尝试次数过多，请在 {minutes} 分钟后重试。',
})

const windowSeconds = 1200
/** Wrong guesses in a window: of one network at one secret, and of one network at all secrets of a kind. */
const ofOneAtOne = 10
const ofOneAtAll = 60
/** Beyond so many wrong guesses of all networks together, one guess a second at this secret is judged. */
const ofAllAtOne = 50
const slowMs = 1_000
/** Guesses at one secret that may wait for their turn; the last one waits 20 s. */
const mostWaiting = 20
const mostLanes = 1_000

interface Lane {
  waiting: number
  last: Promise<unknown>
}

export function createGuesses(deps: {
  rateLimits: RateLimitService
  /** For tests. */
  pause?: (ms: number) => Promise<unknown>
}): GuessService {
  const { rateLimits, pause = delay } = deps
  const lanes = new Map<string, Lane>()

  /** @throws guesses.too_many, with nothing left counted */
  async function reserve(limits: readonly (readonly [key: string, limit: number])[]) {
    const taken: string[] = []
    for (const [key, limit] of limits) {
      const { isAllowed, retryAfterSeconds } = await rateLimits.take(key, limit, windowSeconds)
      if (isAllowed) taken.push(key)
      else {
        await giveBack(taken)
        throw refusal(retryAfterSeconds)
      }
    }
    return taken
  }

  async function giveBack(keys: readonly string[]): Promise<void> {
    await Promise.all(keys.map((key) => rateLimits.giveBack(key)))
  }

  /** One at a time and one a second; whoever waits is told apart by nothing but the order. */
  async function waitForTurn(name: string): Promise<void> {
    const lane = lanes.get(name) ?? { waiting: 0, last: Promise.resolve() }
    if (lane.waiting >= mostWaiting || (!lanes.has(name) && lanes.size >= mostLanes))
      throw refusal((mostWaiting * slowMs) / 1000)
    lanes.set(name, lane)
    lane.waiting += 1
    const turn = lane.last.then(() => pause(slowMs))
    lane.last = turn
    try {
      await turn
    } finally {
      lane.waiting -= 1
      if (lane.waiting === 0) lanes.delete(name)
    }
  }

  return {
    async judge<T>(guess: Guess, check: () => Promise<T | undefined>): Promise<T | undefined> {
      const network = clientNetwork(guess.address)
      const secret = `guess:${guess.kind}:${digest(guess.subject)}`
      const taken = await reserve([
        [`guess:${guess.kind}@${network}`, ofOneAtAll],
        [`${secret}@${network}`, ofOneAtOne],
      ])
      const { isAllowed } = await rateLimits.take(secret, ofAllAtOne, windowSeconds)
      if (isAllowed) taken.push(secret)
      else if (!(await guess.isKnownNetwork?.(network))) await waitForTurn(secret)
      const found = await check()
      if (found !== undefined) await giveBack(taken)
      return found
    },
  }
}

function refusal(seconds: number) {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return tooManyGuesses({ minutes }, { headers: { 'retry-after': String(Math.ceil(seconds)) } })
}

/** Names come from anybody and may be of any length. */
function digest(subject: string): string {
  const name = subject.replaceAll('\0', '').trim().toLowerCase()
  return createHash('sha256').update(name).digest('base64url').slice(0, 22)
}
