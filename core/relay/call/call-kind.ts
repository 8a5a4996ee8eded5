// The three kinds of calls: those answered over HTTP, submits of tasks, and realtime sessions, with what the last two add.
import type { ClientError, ErrorWriter } from '../../contract/dialect.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { AdmittedCall, CallPrice, RelayCall } from './relay-call.ts'

/** Who sends and answers a priced call: the relay itself over HTTP, or the step of a task or session. */
export type CallKind =
  | { readonly kind: 'http'; readonly step: undefined }
  | { readonly kind: 'task'; readonly step: TaskStep }
  | { readonly kind: 'session'; readonly step: SessionStep }

export const overHttp: CallKind = Object.freeze({ kind: 'http', step: undefined })

/** A submit to a task platform. The relay admits and routes it; core/tasks does the rest. */
export interface TaskStep {
  /** Whether another channel may be tried. */
  readonly isRetryable: boolean
  readonly writeError: ErrorWriter
  price(call: AdmittedCall): CallPrice
  /** Sends, settles or releases, and answers. @throws as an attempt over HTTP does */
  attempt(call: RelayCall, attempt: Attempt): Promise<void>
}

/** A realtime session: frames over its own socket instead of an answer. */
export interface SessionStep {
  /** Resolves when the upstream has accepted the session. @throws as an attempt over HTTP does */
  attempt(call: RelayCall, attempt: Attempt): Promise<void>
  /** Tells the client that no channel accepted the session. */
  refuse(error: ClientError): void
}
