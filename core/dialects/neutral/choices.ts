import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'

/** More than any call has: a list of prompts, with several answers to each. */
const MOST_CHOICES = 4_096

/** For dialects with a single answer: of several, the first is kept, and the others are reported as dropped. */
export function isOfFirst(event: ChatEvent, { drop }: Pick<AnswerMeta, 'drop'>): boolean {
  if (!('choice' in event) || choiceIndex(event.choice) === 0) return true
  drop?.('choices')
  return false
}

/** The index of the answer that an upstream refers to; 0 if it states none that is possible. Lists are filled up to it. */
export function choiceIndex(value: unknown): number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < MOST_CHOICES
    ? (value as number)
    : 0
}
