// The three kinds of calls, and what sets a task's submit and a realtime session apart from a call that is answered over HTTP.
import type { ClientError, ErrorWriter } from '../../contract/dialect.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { AdmittedCall, CallPrice, RelayCall } from './relay-call.ts'

/** Who sends and answers a priced call: the relay itself over HTTP, or the step that belongs to it. */
export type CallKind =
  | { readonly kind: 'http'; readonly step: undefined }
  | { readonly kind: 'task'; readonly step: TaskStep }
  | { readonly kind: 'session'; readonly step: SessionStep }

export const overHttp: CallKind = Object.freeze({ kind: 'http', step: undefined })

/** A submit to a task platform: the relay admits and routes it, core/tasks does the rest. */
export interface TaskStep {
  /** Whether another channel may be tried. */
  readonly isRetryable: boolean
  readonly writeError: ErrorWriter
  price(call: AdmittedCall): CallPrice
  /** Sends, settles or releases, and answers. @throws as attempts do */
  attempt(call: RelayCall, attempt: Attempt): Promise<void>
}

/** A realtime session: frames over its own socket instead of an answer. */
export interface SessionStep {
  /** Resolves when the upstream has accepted the session. @throws as attempts do */
  attempt(call: RelayCall, attempt: Attempt): Promise<void>
  /** Tells the client that no channel accepted it. */
  refuse(error: ClientError): void
}
