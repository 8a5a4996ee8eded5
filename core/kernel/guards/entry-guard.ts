// Runs what an adapter from outside or a task platform brings: what it does wrong is counted, logged with its name and kept from everything else.
import { AppError, ChannelFault, errorType, UpstreamError } from '../../contract/errors.ts'
import { isObject } from '../../contract/json.ts'
import type { Logger } from '../../contract/services.ts'
import { detailOf } from '../plugin-fault.ts'
import type { Meter } from './measures.ts'
import { isFailure, isFailureClass } from './check-events.ts'

/** core/relay/failure/failures.ts tries another channel. The cause is for the admin. */
const adapterFailed = errorType(
  'relay.adapter_failed',
  500,
  {
    en: 'The part of the gateway that serves this model failed. Try again; if it happens again, tell the administrator.',
    zh: '网关中服务此模型的组件出错，请重试；如仍出现，请告知管理员。',
  },
  { relay: 'internal_error' },
)

export type Check = (value: unknown) => void
export type Work<A extends unknown[], R> = (...args: A) => R
const anything: Check = () => undefined
/** For what may be left out. */
export const orNothing =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value)
export const notAllowed = 'it gave what the contract does not allow'

interface GuardedEntry {
  what: 'adapter' | 'task platform'
  id: string
  /** The plugin that brings it. */
  owner: string
}

/** Runs the functions of one entry. */
export class EntryGuard {
  readonly #of: GuardedEntry
  readonly #meter: Meter
  readonly #log: Logger

  constructor(of: GuardedEntry, meter: Meter, log: Logger) {
    this.#of = of
    this.#meter = meter
    this.#log = log
  }

  /** What it throws, and what `check` refuses, fails the attempt: another channel is tried. */
  strict<A extends unknown[], R>(part: string, work: Work<A, R>, check = anything): Work<A, R> {
    return (...args) => {
      try {
        const given: unknown = work(...args)
        if (given instanceof Promise) refusePromise(given)
        check(given)
        return given as R
      } catch (error) {
        throw this.#refusal(part, error, args)
      }
    }
  }

  /** The same for what may be asynchronous. */
  awaited<A extends unknown[], R>(part: string, work: Work<A, R>, check = anything): Work<A, R> {
    const inTime = async (given: Promise<unknown>, args: A) => {
      try {
        const value = await given
        check(value)
        return value
      } catch (error) {
        throw this.#refusal(part, error, args)
      }
    }
    return (...args) => {
      try {
        const given: unknown = work(...args)
        if (given instanceof Promise) return inTime(given, args) as R
        check(given)
        return given as R
      } catch (error) {
        throw this.#refusal(part, error, args)
      }
    }
  }

  /** Where it fails, it gave `instead`. */
  lenient<A extends unknown[], R>(
    part: string,
    work: Work<A, R>,
    isSound: (value: unknown) => boolean,
    instead: Work<A, R>,
  ): Work<A, R> {
    return (...args) => {
      try {
        const given = work(...args)
        if (given instanceof Promise) refusePromise(given)
        if (isSound(given)) return given
        throw new TypeError(notAllowed)
      } catch (error) {
        this.blame(part, error)
        return instead(...args)
      }
    }
  }

  /** The sentence with which an admin reads it. */
  blame(part: string, error: unknown): Error {
    const { what, id, owner } = this.#of
    const words = `the ${what} "${id}" failed in ${part}(): ${detailOf(error)}`
    const cause = new Error(words, { cause: error })
    try {
      this.#meter.run(() => {
        throw cause
      })
    } catch {
      // Only counted.
    }
    this.#log.error({ err: error, plugin: owner, part }, words)
    return cause
  }

  #refusal(part: string, error: unknown, args: readonly unknown[]): unknown {
    if (args.some(isAborted)) return error
    if (error instanceof AppError || error instanceof ChannelFault) return error
    // What an upstream sent was too deep to be read.
    if (error instanceof RangeError && error.message.includes('call stack')) return error
    if (!(error instanceof UpstreamError))
      return adapterFailed({}, { cause: this.blame(part, error) })
    const { failure, failureClass } = error
    const isClassed = failureClass === undefined || isFailureClass(failureClass)
    if (isFailure(failure) && isClassed) return error
    const cause = new TypeError('it threw an UpstreamError with no sound failure')
    return adapterFailed({}, { cause: this.blame(part, cause) })
  }
}

function refusePromise(given: Promise<unknown>): never {
  given.catch(() => undefined)
  throw new TypeError('it gave a promise')
}

/** The attempt was over before: what it throws now is the end of the attempt. */
function isAborted(argument: unknown): boolean {
  const signal = isObject(argument) ? argument['signal'] : undefined
  return signal instanceof AbortSignal && signal.aborted
}
