import type { UpstreamResponse } from '../../contract/http-client.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { AnswerTexts } from '../hooks/answer-texts.ts'
import type { ShownEvents } from '../hooks/shown-events.ts'
import type { Attempt } from './attempt.ts'

/** What was sent and has come back, before the answer is read.
 *  @param Operation the part of the adapter that was asked */
export interface Exchange<Operation> {
  call: RelayCall
  attempt: Attempt
  operation: Operation
  response: UpstreamResponse
  /** Hooks of `relay.text` for this answer. */
  texts: AnswerTexts | undefined
  /** Hooks of `relay.event` for this answer. */
  shown: ShownEvents | undefined
}
