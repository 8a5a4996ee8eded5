import type { ClientError } from '../../contract/dialect.ts'
import { AppError } from '../../contract/errors.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { hookEndOf } from '../hooks/hook-ends.ts'
import { judgeCall } from './judge-call.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { FailureDeps } from '../call/relay-deps.ts'
import { reportFailure } from './report-failure.ts'

/** The rule on the receipt of an answer that broke off while its client was still connected. */
export function ruleOfBreak(error: unknown): string {
  const isStop = error instanceof AppError && error.relayCode === 'gateway_stopping'
  return isStop ? 'gateway_stopped' : (hookEndOf(error) ?? 'upstream_cut')
}

/** The error to show when an answer breaks off after output began. Nothing is retried, but the failure still counts against the channel. */
export function readStreamFailure(
  error: unknown,
  call: RelayCall,
  { channel }: Attempt,
  deps: FailureDeps,
): ClientError {
  const failure = judgeCall(error, call, channel)
  reportFailure(call, channel, failure, deps)
  return failure.clientError
}
