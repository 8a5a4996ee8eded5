import { AppError } from '../../contract/errors.ts'

/** How a hook ended an answer; the rule on its receipt. */
export type HookEnd = 'answer_refused' | 'hook_failed'

const ends = new WeakMap<object, HookEnd>()

export function markHookEnd(error: unknown, end: HookEnd): unknown {
  if (error instanceof AppError) ends.set(error, end)
  return error
}

export function hookEndOf(error: unknown): HookEnd | undefined {
  return error instanceof AppError ? ends.get(error) : undefined
}
