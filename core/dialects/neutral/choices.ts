import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'

/** More than one call has: a list of prompts, and several answers to each. */
const MOST_CHOICES = 4_096

/** For dialects that have one answer: of several the first, and the others are named as dropped. */
export function isOfFirst(event: ChatEvent, { drop }: Pick<AnswerMeta, 'drop'>): boolean {
  if (!('choice' in event) || choiceIndex(event.choice) === 0) return true
  drop?.('choices')
  return false
}

/** Which of several answers an upstream speaks of; the first where it says nothing that can be. Lists are filled up to it. */
export function choiceIndex(value: unknown): number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < MOST_CHOICES
    ? (value as number)
    : 0
}
