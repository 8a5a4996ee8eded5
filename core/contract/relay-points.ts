// What plugins may do for a call beside its hooks: answer it from what was answered before, and say which channel serves it.
import type { RelayView } from './relay.ts'

interface PointBase {
  id: string
  /** Ascending, 50 where none is given, ties by the plugin's id. */
  order?: number
  /** Whether it wants this call: synchronous and quick. A call that none wants costs nothing. */
  applies(view: RelayView): boolean
}

/** Whole answers by exact question. Core makes the keys, judges what may be kept, replays and charges; a cache keeps texts by key for as long as it likes.
 *  What fails or is late is passed over. */
export interface ResponseCache extends PointBase {
  /** Whose answers a call may get: those of its token, of its user, or of everybody. The last needs the option `ResponseCacheSharing`; while that is
   *  off, it means the user's. */
  scope: 'token' | 'user' | 'everyone'
  /** What of its price an answer from here costs, 0 to 1. */
  priceShare: number | ((view: RelayView) => number)
  /** Of one look-up, for which the call waits; default 250. */
  deadlineMs?: number
  /** Longer answers are not handed over; default 1 048 576. */
  maxChars?: number
  /** The text that was stored under this key. */
  lookup(key: string, view: RelayView): Promise<string | undefined> | string | undefined
  /** After a complete answer; nobody waits for it. */
  store(key: string, answer: string, view: RelayView): Promise<void> | void
}

/** Which of the channels of one priority serves a call. The first policy that chooses decides; what throws is passed over. */
export interface RoutingPolicy extends PointBase {
  /** Synchronous: the call waits for it. Undefined leaves the choice to the next policy, then to the channels' weights. */
  choose(view: RelayView, candidates: readonly RouteCandidate[]): RouteChoice | undefined
}

/** `order`: the first of these ids is taken. `weights`: one is drawn, ids that are not named or have none never. */
export type RouteChoice = { order: readonly number[] } | { weights: ReadonlyMap<number, number> }

export interface RouteCandidate extends RouteFigures {
  id: number
  type: number
  name: string
  weight: number
  priority: number
}

/** How a channel did lately. */
export interface RouteFigures {
  /** Attempts of the last hour, all nodes. */
  succeeded: number
  failed: number
  /** Of lately, this node; undefined while nothing came. */
  firstByteMs: number | undefined
  durationMs: number | undefined
}
