// As in guard-contributions.ts: a faulty response cache or routing policy is skipped.
import { AppError } from '../../contract/errors.ts'
import type {
  ResponseCache,
  RouteCandidate,
  RouteChoice,
  RoutingPolicy,
} from '../../contract/relay-points.ts'
import type { RelayView } from '../../contract/relay.ts'
import type { Logger } from '../../contract/services.ts'
import type { Meter } from './measures.ts'
import { inTime } from '../with-timeout.ts'
import { isFigure } from '../check-values.ts'

const lookupMs = 250
const storeMs = 5_000

export function guardResponseCache(
  entry: ResponseCache,
  owner: string,
  meter: Meter,
  log: Logger,
): ResponseCache {
  const blame = blaming(log, { responseCache: entry.id })
  const limitMs = entry.deadlineMs ?? lookupMs
  return {
    id: `${owner}/${entry.id}`,
    scope: entry.scope,
    order: entry.order ?? 50,
    deadlineMs: limitMs,
    ...(entry.maxChars === undefined ? {} : { maxChars: entry.maxChars }),
    applies: guardApplies(entry, meter, blame),
    priceShare: (view) => shareOf(entry, view, blame),
    lookup: async (key, view) => {
      try {
        const lookup = meter.run(() =>
          unrefused(() => inTime(limitMs, 'lookup()', entry.lookup(key, view))),
        )
        const found: unknown = await lookup
        if (found === undefined || typeof found === 'string') return found
        throw new TypeError('lookup() gave no text')
      } catch (error) {
        return blame(error)
      }
    },
    store: async (key, answer, view) => {
      try {
        await meter.run(() => inTime(storeMs, 'store()', entry.store(key, answer, view)))
      } catch (error) {
        blame(error)
      }
    },
  }
}

export function guardRoutingPolicy(
  entry: RoutingPolicy,
  owner: string,
  meter: Meter,
  log: Logger,
): RoutingPolicy {
  return {
    id: `${owner}/${entry.id}`,
    order: entry.order ?? 50,
    applies: guardApplies(entry, meter, blaming(log, { routingPolicy: entry.id })),
    choose: (view, candidates) =>
      meter.run(() => {
        const choice: unknown = unrefused(() => entry.choose(view, candidates))
        if (choice === undefined || isChoice(choice, candidates)) return choice
        throw new TypeError('choose() gave no choice')
      }),
  }
}

type Blame = (error: unknown) => undefined

function blaming(log: Logger, names: object): Blame {
  return (error) => {
    log.error({ err: error, ...names }, 'an extension of the relay failed')
  }
}

function guardApplies(
  entry: { applies(view: RelayView): boolean },
  meter: Meter,
  blame: Blame,
): (view: RelayView) => boolean {
  const applies = (view: RelayView) => entry.applies(view)
  return (view) => {
    if (meter.isParked) return false
    try {
      const wanted: unknown = meter.ask(applies, view)
      if (typeof wanted !== 'boolean') throw new TypeError('applies() gave no boolean')
      return wanted
    } catch (error) {
      try {
        meter.run(() => {
          throw error
        })
      } catch {
        blame(error)
      }
      return false
    }
  }
}

/** If the share cannot be determined, the whole price is charged. */
function shareOf({ priceShare }: ResponseCache, view: RelayView, blame: Blame): number {
  try {
    const share: unknown = typeof priceShare === 'number' ? priceShare : priceShare(view)
    if (isShare(share)) return share
    throw new TypeError('priceShare is no number from 0 to 1')
  } catch (error) {
    blame(error)
    return 1
  }
}

export function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1
}

function isChoice(
  value: unknown,
  candidates: readonly RouteCandidate[],
): value is NonNullable<RouteChoice> {
  if (typeof value !== 'object' || value === null) return false
  if ('order' in value) return Array.isArray(value.order)
  if (!('weights' in value) || !(value.weights instanceof Map)) return false
  const weights: ReadonlyMap<unknown, unknown> = value.weights
  return candidates.every(({ id }) => isFigure(weights.get(id) ?? 0))
}

/** Caches and policies may not refuse calls: an error that looks like a refusal counts as a fault. */
function unrefused<T>(work: () => T): T {
  try {
    const result = work()
    return result instanceof Promise ? (result.catch(asFault) as T) : result
  } catch (error) {
    return asFault(error)
  }
}

function asFault(error: unknown): never {
  throw error instanceof AppError ? new Error(error.message, { cause: error }) : error
}
