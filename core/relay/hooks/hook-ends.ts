import { AppError } from '../../contract/errors.ts'
import type { RelayHook } from '../../contract/relay.ts'
import type { AdmittedCall } from '../call/relay-call.ts'
import type { HookDeps } from '../call/relay-deps.ts'
import { logOrRefuse } from './run-hooks.ts'

/** The rules on a receipt for answers that a hook ended. */
export type HookEnd = 'answer_refused' | 'hook_failed'

const ends = new WeakMap<object, HookEnd>()

/** As `logOrRefuse`, for a hook of an answer that the upstream is giving: the error tells the rule for the receipt. */
export function logOrEnd(
  hook: RelayHook,
  error: unknown,
  call: Pick<AdmittedCall, 'requestId'>,
  deps: Pick<HookDeps, 'log'>,
): void {
  try {
    logOrRefuse(hook, error, call, deps)
  } catch (end) {
    if (end instanceof AppError)
      ends.set(end, error instanceof AppError ? 'answer_refused' : 'hook_failed')
    throw end
  }
}

export function hookEndOf(error: unknown): HookEnd | undefined {
  return error instanceof AppError ? ends.get(error) : undefined
}
