import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'

/** Seals stay: they tell nothing, and their provider wants them back. */
export function isHiddenThought(
  { type }: Pick<ChatEvent, 'type'>,
  { hidesThoughts }: Pick<AnswerMeta, 'hidesThoughts'>,
): boolean {
  return type === 'reasoning' && hidesThoughts === true
}
