// What plugins may do for a call besides hooks: answer it from stored answers, and choose the channel that serves it.
import type { RelayView } from './relay.ts'

interface PointBase {
  id: string
  /** Ascending, default 50; ties are ordered by the plugin's id. */
  order?: number
  /** Whether it handles this call; must be synchronous and quick. A call that nobody handles costs nothing. */
  applies(view: RelayView): boolean
}

/** Answers repeated questions with whole stored answers. Core makes the keys, decides what may be stored, replays and charges; a cache stores texts by
 *  key for as long as it likes. A cache that fails or is late is skipped. */
export interface ResponseCache extends PointBase {
  /** Whose answers a call may get: those of its token, of its user, or of everybody. The last needs the option `ResponseCacheSharing`; while that is
   *  off, it means the user's. */
  scope: 'token' | 'user' | 'everyone'
  /** The share of its price that an answer from this cache costs, 0 to 1. */
  priceShare: number | ((view: RelayView) => number)
  /** Time limit of one look-up, for which the call waits; default 250. */
  deadlineMs?: number
  /** Longer answers are not stored; default 1 048 576. */
  maxChars?: number
  /** The text that was stored under this key. */
  lookup(key: string, view: RelayView): Promise<string | undefined> | string | undefined
  /** Called after a complete answer; nobody waits for it. */
  store(key: string, answer: string, view: RelayView): Promise<void> | void
}

/** Chooses which of the channels of the same priority serves a call. The first policy that chooses decides; one that throws is skipped. */
export interface RoutingPolicy extends PointBase {
  /** Synchronous: the call waits for it. Undefined leaves the choice to the next policy, then to the channels' weights. */
  choose(view: RelayView, candidates: readonly RouteCandidate[]): RouteChoice | undefined
}

/** `order`: the first of these ids that is available. `weights`: one is drawn at random; ids without a weight are never chosen. */
export type RouteChoice = { order: readonly number[] } | { weights: ReadonlyMap<number, number> }

export interface RouteCandidate extends RouteFigures {
  id: number
  type: number
  name: string
  weight: number
  priority: number
}

/** Recent figures of a channel. */
export interface RouteFigures {
  /** Attempts of the last hour, all nodes. */
  succeeded: number
  failed: number
  /** Recent, on this node; undefined until an answer came. */
  firstByteMs: number | undefined
  durationMs: number | undefined
}
