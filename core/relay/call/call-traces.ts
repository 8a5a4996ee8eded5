// What a call reports for traces: its admission, its refusal, its end. The spans are made at the end, in core/observability/traces.
import type { FastifyRequest } from 'fastify'
import type { Usage } from '../../contract/neutral.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { AdmittedCall, RelayCall } from './relay-call.ts'

/** How an answered call ended. Times are those of `performance.now()`. */
export interface CallEnd {
  /** Undefined for an answer from a response cache. */
  readonly attempt: Pick<Attempt, 'channel' | 'upstreamModel'> | undefined
  readonly usage: Usage
  /** The rule on the receipt, which says how the answer ended. */
  readonly rule: string
  /** What the client got; 499 when it left. */
  readonly status: number
  readonly units: number
  /** When the settlement was handed to the ledger; undefined if the call did not wait for it. */
  readonly settlingAtMs: number | undefined
}

/** Receives each call. Exists only if the environment names a collector. */
export interface CallTraces {
  /** Called once for each model that a request tries. */
  admitted(call: AdmittedCall): void
  settled(call: RelayCall, end: CallEnd): void
  /** The client was answered with an error. @param reason a code or class of the gateway, never text of an upstream */
  refused(request: FastifyRequest, status: number, reason: string): void
  /** Sends what is pending, for a few seconds at most. */
  close(): Promise<void>
}
