// What traces are made of: a call tells its stages, and everything else is read from it at its end (core/observability/traces).
import type { FastifyRequest } from 'fastify'
import type { Usage } from '../../contract/neutral.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { AdmittedCall, RelayCall } from './relay-call.ts'

/** How a call ended that was answered. Times are those of `performance.now()`. */
export interface CallEnd {
  /** None of an answer from a response cache. */
  readonly attempt: Pick<Attempt, 'channel' | 'upstreamModel'> | undefined
  readonly usage: Usage
  /** Which rule ended the answer; the receipt's. */
  readonly rule: string
  /** What the client got; 499 when it left. */
  readonly status: number
  readonly units: number
  /** When the settlement went to the ledger; undefined where nobody waited for it. */
  readonly settlingAtMs: number | undefined
}

/** Hears of each call; there is none unless the environment names a collector. */
export interface CallTraces {
  /** Told once for each model of a request that is tried. */
  admitted(call: AdmittedCall): void
  settled(call: RelayCall, end: CallEnd): void
  /** The client was answered with an error. @param reason a code or a class of ours, no text of an upstream */
  refused(request: FastifyRequest, status: number, reason: string): void
  /** Sends what is left, for a few seconds at the most. */
  close(): Promise<void>
}
