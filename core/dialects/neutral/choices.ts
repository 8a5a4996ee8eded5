/** More than one call has: a list of prompts, and several answers to each. */
const MOST_CHOICES = 4_096

/** Which of several answers an upstream speaks of; the first where it says nothing that can be. Lists are filled up to it. */
export function choiceIndex(value: unknown): number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < MOST_CHOICES
    ? (value as number)
    : 0
}
