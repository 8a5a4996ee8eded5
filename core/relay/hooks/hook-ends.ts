import { AppError } from '../../contract/errors.ts'

/** The rules on a receipt for answers that a hook ended. */
export type HookEnd = 'answer_refused' | 'hook_failed'

const ends = new WeakMap<object, HookEnd>()

export function markHookEnd(error: unknown, end: HookEnd): unknown {
  if (error instanceof AppError) ends.set(error, end)
  return error
}

export function hookEndOf(error: unknown): HookEnd | undefined {
  return error instanceof AppError ? ends.get(error) : undefined
}
