import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EventChange, RelayHook, RelayView, RequestDraft } from '../../contract/relay.ts'
import { errorType } from '../../contract/errors.ts'
import type { ResponseCache, RouteCandidate, RoutingPolicy } from '../../contract/relay-points.ts'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import { checkEntry, type Point } from './check-entries.ts'
import { deadlineOf, guardRelayHook } from './guard-relay-hooks.ts'
import { guardResponseCache, guardRoutingPolicy } from './guard-relay-points.ts'
import { Measures } from './measures.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const view = {} as RelayView
const yes = () => true
const boom = () => {
  throw new Error('broken')
}
const never = () => new Promise<never>(() => undefined)
/** As what libraries give that build statements, no Promise of this process: only its then() tells. */
const Foreign = runInNewContext('Promise') as PromiseConstructor
const later = (promise: () => Promise<unknown>) =>
  new Foreign((resolve, reject) => void promise().then(resolve, reject)) as never
const refusal = errorType('sample.refused', 403, { en: 'No.', zh: '不行。' })
const refuse = () => {
  throw refusal()
}

function parts(limitMs: number) {
  const blamed = vi.fn()
  const meter = new Measures().meter('sample', 'point', 'it', { limitMs, mayPark: true })
  return { meter, blamed, log: { ...quietLog, error: blamed } }
}

async function afterAWhile<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(60_000)
  return promise
}

const plainCache: ResponseCache = {
  id: 'it',
  scope: 'user',
  priceShare: 0.5,
  applies: yes,
  lookup: () => undefined,
  store: () => undefined,
}

function cacheWith(more: Partial<ResponseCache>) {
  const { meter, blamed, log } = parts(250)
  return {
    cache: guardResponseCache({ ...plainCache, ...more }, 'sample', meter, log),
    blamed,
    meter,
  }
}

describe('a response cache', () => {
  it.each([
    { what: 'throws', work: boom },
    { what: 'rejects', work: () => Promise.reject(new Error('broken')) },
    { what: 'hangs', work: never },
    { what: 'hangs behind a then()', work: () => later(never) },
    { what: 'gives no text', work: () => 7 as never },
    { what: 'refuses', work: refuse },
  ])('that $what has no answer and keeps nobody waiting', async ({ work }) => {
    const { cache, blamed } = cacheWith({ lookup: work, store: work })
    expect(await afterAWhile(Promise.resolve(cache.lookup('key', view)))).toBeUndefined()
    expect(blamed).toHaveBeenCalledOnce()
    await afterAWhile(Promise.resolve(cache.store('key', '', view)))
  })

  it('that cannot say what an answer costs charges all of it', () => {
    const shares = [boom, () => -1, () => 2, () => Number.NaN]
    for (const priceShare of shares) {
      const { cache } = cacheWith({ priceShare })
      expect(typeof cache.priceShare === 'function' && cache.priceShare(view)).toBe(1)
    }
  })

  it.each([boom, refuse])('is not asked any more after ten failures in a row', async (lookup) => {
    const { cache, meter } = cacheWith({ lookup })
    for (let time = 0; time < 10; time += 1) await cache.lookup('key', view)
    expect(meter.isParked).toBe(true)
    expect(cache.applies(view)).toBe(false)
  })
})

describe('a routing policy', () => {
  const guarded = (more: Partial<RoutingPolicy>) => {
    const { meter, blamed, log } = parts(20)
    const entry = { id: 'it', applies: yes, choose: () => undefined, ...more }
    return { policy: guardRoutingPolicy(entry, 'sample', meter, log), blamed, meter }
  }

  it('that gives what is no choice fails, and is not asked any more after ten times', () => {
    const { policy, meter } = guarded({ choose: () => ({ order: 'all' }) as never })
    for (let time = 0; time < 10; time += 1)
      expect(() => policy.choose(view, [])).toThrow('no choice')
    expect(meter.isParked).toBe(true)
    expect(policy.applies(view)).toBe(false)
  })

  it.each([Number.NaN, -1, Infinity, '1'])(
    'that weighs a channel with %s fails, and is parked as well',
    (weight) => {
      const weights = new Map([[7, weight as number]])
      const { policy, meter } = guarded({ choose: () => ({ weights }) })
      const candidates = [{ id: 7 } as RouteCandidate]
      for (let time = 0; time < 10; time += 1)
        expect(() => policy.choose(view, candidates)).toThrow('no choice')
      expect(meter.isParked).toBe(true)
    },
  )

  it('may weigh channels that are not there as it likes, and leave some out', () => {
    const weights = new Map([[8, Number.NaN]])
    const { policy } = guarded({ choose: () => ({ weights }) })
    expect(policy.choose(view, [{ id: 7 } as RouteCandidate])).toEqual({ weights })
  })

  it('has no call to refuse', () => {
    const { policy, meter } = guarded({ choose: refuse })
    expect(() => policy.choose(view, [])).toThrow('No.')
    expect(meter.figures().errors).toBe(1)
  })

  it('that cannot say whether it wants a call does not', () => {
    const { policy, blamed } = guarded({ applies: boom })
    expect(policy.applies(view)).toBe(false)
    expect(blamed).toHaveBeenCalledOnce()
  })
})

describe('a relay hook', () => {
  const guarded = (entry: RelayHook) => {
    const { meter } = parts(entry.deadlineMs ?? 1_000)
    return { hook: guardRelayHook(entry, 'sample', meter), meter }
  }

  it('that hangs while it changes a request ends by its deadline', async () => {
    const { hook } = guarded({ id: 'it', stage: 'relay.request', onFailure: 'closed', run: never })
    if (hook.stage !== 'relay.request') throw new Error('another stage')
    const running = Promise.resolve(hook.run(view, {} as RequestDraft))
    await expect(afterAWhile(running)).rejects.toThrow('took longer than 1000 ms')
  })

  it('may give anything that has a then(), and is waited for', async () => {
    const run = () => later(() => Promise.reject(refusal()))
    const { hook } = guarded({ id: 'it', stage: 'relay.admit', onFailure: 'open', run })
    if (hook.stage !== 'relay.admit') throw new Error('another stage')
    await expect(Promise.resolve(hook.run(view, {}))).rejects.toThrow('No.')
  })

  it.each(['open', 'closed'] as const)(
    'that keeps failing in answers is parked, %s',
    (onFailure) => {
      const { hook, meter } = guarded({ id: 'it', stage: 'relay.text', onFailure, open: boom })
      if (hook.stage !== 'relay.text') throw new Error('another stage')
      const text = { kind: 'content', choice: 0 } as const
      for (let time = 0; time < 10; time += 1) expect(() => hook.open(view, text)).toThrow('broken')
      expect(meter.isParked).toBe(true)
      if (onFailure === 'open') expect(hook.applies?.(view)).toBe(false)
      else expect(() => hook.applies?.(view)).toThrow('parked')
    },
  )

  it('that keeps failing over events is parked, and fails when it gives no function', () => {
    const entry = { id: 'it', stage: 'relay.event', onFailure: 'closed' } as const
    const { hook, meter } = guarded({ ...entry, open: boom })
    if (hook.stage !== 'relay.event') throw new Error('another stage')
    for (let time = 0; time < 10; time += 1) expect(() => hook.open(view)).toThrow('broken')
    expect(meter.isParked).toBe(true)
    expect(() => hook.applies?.(view)).toThrow('parked')
    const other = guarded({ ...entry, open: () => 7 as never }).hook
    if (other.stage !== 'relay.event') throw new Error('another stage')
    expect(() => other.open(view)).toThrow('gave no function')
  })

  it.each([
    { what: 'each answer', goodParts: 3, isParked: true },
    { what: 'one answer of many', goodParts: 60, isParked: false },
  ])('that fails in the middle of $what: parked is $isParked', ({ goodParts, isParked }) => {
    let part = 0
    const change: EventChange = (data) => {
      part += 1
      if (part % (goodParts + 1) === 0) boom()
      return data
    }
    const entry = { id: 'it', stage: 'relay.event', onFailure: 'open', open: () => change } as const
    const { hook, meter } = guarded(entry)
    if (hook.stage !== 'relay.event') throw new Error('another stage')
    for (let answer = 0; answer < 12; answer += 1) {
      const changed = hook.open(view)
      const all = () => {
        for (let event = 0; event <= goodParts; event += 1) changed?.({}, undefined)
      }
      expect(all).toThrow('broken')
    }
    expect(meter.isParked).toBe(isParked)
    expect(meter.figures().errors).toBe(12)
  })

  it.each([
    [501, 5_000, true],
    [500, 5_000, false],
    [450, 0, true],
    [450, 500, false],
  ])(
    'that computes for %i ms before each answer, all %i ms, is parked: %s',
    (blockMs, pauseMs, isParked) => {
      const entry: RelayHook = {
        id: 'it',
        stage: 'relay.text',
        onFailure: 'open',
        open: () => {
          vi.advanceTimersByTime(blockMs)
          return undefined
        },
      }
      const { meter } = parts(deadlineOf(entry))
      const hook = guardRelayHook(entry, 'sample', meter)
      if (hook.stage !== 'relay.text') throw new Error('another stage')
      for (let round = 0; round < 12; round += 1) {
        hook.open(view, { kind: 'content', choice: 0 })
        vi.advanceTimersByTime(pauseMs)
      }
      expect(meter.isParked).toBe(isParked)
    },
  )

  it.each(['run', 'applies'])(
    'that computes for most of a second in %s is parked',
    async (part) => {
      const compute = () => vi.advanceTimersByTime(950)
      const { meter } = parts(1_000)
      const entry: RelayHook = {
        id: 'it',
        stage: 'relay.admit',
        onFailure: 'open',
        applies: () => {
          if (part === 'applies') compute()
          return true
        },
        run: async () => void (part === 'run' && compute()),
      }
      const hook = guardRelayHook(entry, 'sample', meter)
      if (hook.stage !== 'relay.admit') throw new Error('another stage')
      let called = 0
      for (; called < 12 && hook.applies?.(view); called += 1) await hook.run(view, {})
      expect(called).toBe(6)
      expect(meter.figures()).toMatchObject({ is_parked: true, errors: 0 })
      meter.unpark()
      expect(meter.isParked).toBe(false)
    },
  )

  it('that gives no function for a text, or no boolean, fails', () => {
    const entry = { id: 'it', stage: 'relay.text', onFailure: 'open' } as const
    const { hook } = guarded({ ...entry, open: () => 7 as never, applies: () => 1 as never })
    if (hook.stage !== 'relay.text') throw new Error('another stage')
    expect(() => hook.open(view, { kind: 'content', choice: 0 })).toThrow('gave no function')
    expect(() => hook.applies?.(view)).toThrow('gave no boolean')
  })
})

describe('an entry of the wrong shape', () => {
  const cases: [Point, object, string][] = [
    ['relay hook', { stage: 'relay.text', onFailure: 'open', run: yes }, 'open'],
    ['relay hook', { stage: 'relay.event', onFailure: 'open', run: yes }, 'open'],
    ['relay hook', { stage: 'relay.request', onFailure: 'open' }, 'run'],
    ['relay hook', { stage: 'relay.admit', onFailure: 'open', run: yes, order: 'x' }, 'order'],
    ['relay hook', { stage: 'relay.admit', onFailure: 'open', run: yes, applies: 1 }, 'applies'],
    [
      'relay hook',
      { stage: 'relay.observe', onFailure: 'open', run: yes, maxChars: 0 },
      'maxChars',
    ],
    ['response cache', { ...plainCache, scope: 'all' }, 'scope'],
    ['response cache', { ...plainCache, priceShare: 1.5 }, 'priceShare'],
    ['response cache', { ...plainCache, store: undefined }, 'store'],
    ['dialect', { routes: [] }, 'routes'],
    ['dialect', { routes: [{ path: '/it/a' }], keyHeader: 'A B' }, 'keyHeader'],
    ['dialect', { routes: [{ path: '/it/a' }], parseRequest: yes }, 'writeAnswer'],
    ['routing policy', { applies: yes }, 'choose'],
    ['routing policy', { choose: yes }, 'applies'],
  ]
  it.each(cases)('is refused while it is added: %s %o', (point, entry, key) => {
    expect(() => checkEntry(point, { ...entry, id: 'it' })).toThrow(
      `${point} "it" has no sound "${key}"`,
    )
  })
})
