import type { AttemptContext, BinaryAnswer } from '#core'

/** Speech is charged by the characters of its text; the answer is sound and tells no number. Source: console.groq.com/docs/model/canopylabs/orpheus-v1-english. */
export function withCharacters(
  answer: BinaryAnswer,
  { clientBody }: Pick<AttemptContext, 'clientBody'>,
): BinaryAnswer {
  const text = clientBody?.['input']
  return typeof text === 'string'
    ? { ...answer, usage: { input: Array.from(text).length } }
    : answer
}
