// A hook refuses an answer before its client has seen any of it.
import { AppError } from '../../contract/errors.ts'
import type { Usage } from '../../contract/neutral.ts'
import { hookEndOf } from '../hooks/hook-ends.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { AnswerDeps } from '../call/relay-deps.ts'
import { settleCall } from '../charge/settle-call.ts'
import { sendFailed } from './send-failed.ts'
import { readStreamFailure } from '../failure/stream-failure.ts'

/** Sends the hook's refusal with its status and charges the upstream's work, since it was done. Any other error is thrown again. */
export async function refuseAnswer(
  error: unknown,
  { call, attempt }: { call: RelayCall; attempt: Attempt },
  usage: () => Usage,
  deps: AnswerDeps,
): Promise<void> {
  if (!(error instanceof AppError) || hookEndOf(error) !== 'answer_refused') throw error
  attempt.abort.abort()
  const shown = readStreamFailure(error, call, attempt, deps)
  const { status } = shown
  await settleCall(call, { attempt, usage: usage(), rule: 'answer_refused', status }, deps)
  sendFailed(call, shown)
}
