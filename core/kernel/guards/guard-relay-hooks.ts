// As in guard-contributions.ts: what a relay hook does wrong is counted, ends by its deadline, and means what it declared.
import type {
  AskingHook,
  CallObserver,
  EventTransform,
  RelayHook,
  RelayView,
  RequestTransform,
  TextTransform,
} from '../../contract/relay.ts'
import type { Meter } from './measures.ts'
import { inTime } from '../with-timeout.ts'

const hookMs = 1_000
/** Of a part of an answer: synchronous, so that every call waits for it. */
const partMs = 500
const observerMs = 5_000

export function deadlineOf({ stage, deadlineMs }: RelayHook): number {
  if (deadlineMs !== undefined) return deadlineMs
  if (stage === 'relay.text' || stage === 'relay.event') return partMs
  return stage === 'relay.observe' ? observerMs : hookMs
}

const isParked = () => new Error('it is parked because it kept failing')

/** Adds the time limit. The relay decides what a failure means, and logs the hook's id. A parked hook is not called any
 *  more: if it is `open`, calls pass, otherwise they are refused at once. */
export function guardRelayHook(entry: RelayHook, owner: string, meter: Meter): RelayHook {
  const base = {
    id: `${owner}/${entry.id}`,
    order: entry.order ?? 50,
    deadlineMs: deadlineOf(entry),
  }
  const { onFailure } = entry
  const applies = guardApplies(entry, meter)
  switch (entry.stage) {
    case 'relay.text':
      return { ...base, onFailure, stage: entry.stage, applies, open: guardOpen(entry, meter) }
    case 'relay.event':
      return { ...base, onFailure, stage: entry.stage, applies, open: guardEvents(entry, meter) }
    case 'relay.request':
      return { ...base, onFailure, stage: entry.stage, applies, run: guardRun(entry, meter) }
    case 'relay.observe': {
      const maxChars = entry.maxChars === undefined ? {} : { maxChars: entry.maxChars }
      const run = guardRun(entry, meter)
      return { ...base, ...maxChars, onFailure, stage: entry.stage, applies, run }
    }
    default:
      return { ...base, onFailure, stage: entry.stage, applies, run: guardRun(entry, meter) }
  }
}

function guardApplies(entry: RelayHook, meter: Meter): (view: RelayView) => boolean {
  const applies = (view: RelayView) => entry.applies?.(view)
  const wants = (view: RelayView): boolean => {
    if (!entry.applies) return true
    try {
      const wanted: unknown = meter.ask(applies, view)
      if (typeof wanted !== 'boolean') throw new TypeError('applies() gave no boolean')
      return wanted
    } catch (error) {
      return meter.run(() => {
        throw error
      })
    }
  }
  return (view) => {
    if (!meter.isParked) return wants(view)
    if (entry.onFailure === 'open' || !wants(view)) return false
    throw isParked()
  }
}

type Running = AskingHook | RequestTransform | CallObserver

function guardRun<T extends Running>(entry: T, meter: Meter): T['run'] {
  const limitMs = deadlineOf(entry)
  const run = entry.run.bind(entry) as (view: RelayView, extra: unknown) => Promise<void> | void
  return (view: RelayView, extra: unknown) =>
    meter.run(() => inTime(limitMs, 'run()', run(view, extra)))
}

function guardOpen(entry: TextTransform, meter: Meter): TextTransform['open'] {
  return (view, text) => {
    const change = meter.runPart(() => opened(entry.open(view, text)))
    return change && ((piece, isEnd) => meter.runPart(() => change(piece, isEnd)))
  }
}

function guardEvents(entry: EventTransform, meter: Meter): EventTransform['open'] {
  return (view) => {
    const change = meter.runPart(() => opened(entry.open(view)))
    return change && ((data, event) => meter.runPart(() => change(data, event)))
  }
}

/** @throws TypeError */
function opened<T>(change: T): T {
  if (change !== undefined && typeof change !== 'function')
    throw new TypeError('open() gave no function')
  return change
}
