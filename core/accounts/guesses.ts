// Guesses at secrets: counted before they are checked, limited for each caller, and slowed down for each secret, so
// that nobody can lock its owner out.
import { createHash } from 'node:crypto'
import { errorType } from '../contract/errors.ts'
import type { Guess, GuessService, RateLimitService } from '../contract/services.ts'
import { clientNetwork } from '../net/addresses/client-network.ts'
import { GuessQueues } from './guess-queue.ts'
import { isBusy } from './passwords.ts'

const tooManyGuesses = errorType<{ minutes: number }>('guesses.too_many', 429, {
  en: 'Too many tries. Try again in {minutes} min.',
  zh: '尝试次数过多，请在 {minutes} 分钟后重试。',
})

const windowSeconds = 1200
const daySeconds = 86_400
/** Wrong guesses in a window that one network may make: at one secret, and at all secrets of a kind. */
const ofOneAtOne = 10
const ofOneAtAll = 60
/** Wrong guesses in a window that one network may make at one owner, under all names that lead to that owner. */
const ofOneAtOwner = 10
/** After this many wrong guesses by all networks together, one guess per second at this secret is checked. */
const ofAllAtOne = 50
/** Wrong guesses in a window by a browser with which the owner has signed in before. After that it counts like a stranger's. */
const ofOneDevice = 10

type Limit = readonly [key: string, limit: number, seconds: number]

interface Taken {
  key: string
  place: string | undefined
}

export class Guesses implements GuessService {
  readonly #rateLimits: RateLimitService
  readonly #queues: GuessQueues

  /** @param deps.pause for tests */
  constructor(deps: { rateLimits: RateLimitService; pause?: (ms: number) => Promise<unknown> }) {
    this.#rateLimits = deps.rateLimits
    this.#queues = new GuessQueues({ pause: deps.pause })
  }

  async judge<T>(
    guess: Guess,
    check: (knownDevice?: string, isBeyond?: boolean) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const ofDevice = await this.#reserveOfDevice(guess)
    const taken = ofDevice?.taken ?? (await this.#reserveOfNetwork(guess))
    const ofOwner = ofDevice ? undefined : await this.#reserveOfOwner(guess)
    taken.push(...(ofOwner?.taken ?? []))
    try {
      const found = await check(ofDevice?.device, ofOwner?.isBeyond)
      if (ofOwner?.isBeyond) return undefined
      if (found !== undefined) await this.#giveBack(taken)
      return found
    } catch (error) {
      // The guess was not checked: an owner who is told to try again later must not lose tries by it.
      if (isBusy(error)) await this.#giveBack(taken)
      throw error
    }
  }

  /** Counted separately from all others, so that strangers cannot lock the owner out. */
  async #reserveOfDevice(guess: Guess) {
    const device = await guess.knownDevice?.()
    if (device === undefined) return undefined
    const key = `guess:${guess.kind}~${device}`
    const { isAllowed, place } = await this.#rateLimits.take(key, ofOneDevice, windowSeconds)
    return isAllowed ? { device, taken: [{ key, place }] } : undefined
  }

  async #reserveOfNetwork(guess: Guess): Promise<Taken[]> {
    const secret = `guess:${guess.kind}:${digest(guess.subject)}`
    const network = clientNetwork(guess.address)
    const taken = await this.#reserve([
      [`guess:${guess.kind}@${network}`, ofOneAtAll, windowSeconds],
      [`${secret}@${network}`, ofOneAtOne, windowSeconds],
      ...(guess.mostADay === undefined
        ? []
        : [[`${secret}~day`, guess.mostADay, daySeconds] as const]),
    ])
    const { isAllowed, place } = await this.#rateLimits.take(secret, ofAllAtOne, windowSeconds)
    if (isAllowed) return [...taken, { key: secret, place }]
    if (await guess.isKnownNetwork?.(network)) return taken
    if (await this.#queues.wait(secret, network)) return taken
    await this.#giveBack(taken)
    throw refusal(this.#queues.longestSeconds)
  }

  /** Counts guesses at an owner under any name: a refusal that is visible, or slower, would reveal which address
   *  belongs to which name. Names that nobody has are counted too, so that the work is the same. */
  async #reserveOfOwner(guess: Guess): Promise<{ isBeyond: boolean; taken: Taken[] }> {
    const owner = await guess.owner?.()
    if (owner === undefined) return { isBeyond: false, taken: [] }
    const network = clientNetwork(guess.address)
    const key = `guess:${guess.kind}=${owner || digest(guess.subject)}@${network}`
    const { isAllowed, place } = await this.#rateLimits.take(key, ofOneAtOwner, windowSeconds)
    return { isBeyond: !isAllowed && owner !== 0, taken: isAllowed ? [{ key, place }] : [] }
  }

  /** @throws guesses.too_many, after which nothing stays counted */
  async #reserve(limits: readonly Limit[]): Promise<Taken[]> {
    const taken: Taken[] = []
    for (const [key, limit, seconds] of limits) {
      const { isAllowed, retryAfterSeconds, place } = await this.#rateLimits.take(
        key,
        limit,
        seconds,
      )
      if (isAllowed) taken.push({ key, place })
      else {
        await this.#giveBack(taken)
        throw refusal(retryAfterSeconds)
      }
    }
    return taken
  }

  async #giveBack(taken: readonly Taken[]): Promise<void> {
    await Promise.all(taken.map(({ key, place }) => this.#rateLimits.giveBack(key, place)))
  }
}

function refusal(seconds: number) {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return tooManyGuesses({ minutes }, { headers: { 'retry-after': String(Math.ceil(seconds)) } })
}

/** Names come from anybody and may have any length. */
function digest(subject: string): string {
  const name = subject.replaceAll('\0', '').trim().toLowerCase()
  return createHash('sha256').update(name).digest('base64url').slice(0, 22)
}
