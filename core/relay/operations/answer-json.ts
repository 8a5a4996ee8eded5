import type { Body, CallOperation } from '../../contract/adapter.ts'
import { isObject } from '../../contract/json.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { AnswerTexts } from '../hooks/answer-texts.ts'

/** Their answers hold no text for hooks, but many numbers. */
const textless: ReadonlySet<CallOperation> = new Set(['embeddings', 'moderations'])
const textKeys: ReadonlySet<string> = new Set([
  'text',
  'word',
  'revised_prompt',
  'document',
  'transcript',
  // What a decision repeats of its questions.
  'name',
  'choice',
  'value',
  'label',
])
const DEEPEST = 12

/** Passes the texts of an answer that is not a chat through the hooks: transcripts, revised prompts, ranked documents, choices.
 *  Returns the same object if none was changed.
 *  @throws AppError of a hook */
export function mapAnswer(answer: Body, operation: CallOperation, texts: AnswerTexts): Body {
  return textless.has(operation) ? answer : (mapped(answer, texts, DEEPEST) as Body)
}

/** The events that replace an event of a transcript: none while its text is held back, two if text that was held back
 *  precedes its end.
 *  @throws AppError of a hook */
export function heardEvents(event: Body, texts: AnswerTexts): Body[] {
  const { type, delta, text } = event
  if (type === 'transcript.text.delta' && typeof delta === 'string')
    return withDelta(event, texts.map({ type: 'text', delta }))
  if (type !== 'transcript.text.done' || typeof text !== 'string') return [event]
  const last = withDelta({ type: 'transcript.text.delta' }, texts.end())
  const whole = texts.text(text)
  return [...last, whole === text ? event : { ...event, text: whole }]
}

function withDelta(event: Body, changed: readonly ChatEvent[]): Body[] {
  const delta = changed.map((one) => (one.type === 'text' ? one.delta : '')).join('')
  return delta === '' ? [] : [delta === event['delta'] ? event : { ...event, delta }]
}

function mapped(value: unknown, texts: AnswerTexts, depth: number): unknown {
  if (depth === 0) return value
  if (Array.isArray(value)) {
    const next = (value as unknown[]).map((inner) => mapped(inner, texts, depth - 1))
    return next.some((inner, index) => inner !== value[index]) ? next : value
  }
  if (!isObject(value)) return value
  let copy = value
  for (const [key, inner] of Object.entries(value)) {
    const isText = textKeys.has(key) && typeof inner === 'string' && inner !== ''
    const next = isText ? texts.text(inner) : mapped(inner, texts, depth - 1)
    if (next !== inner) copy = { ...copy, [key]: next }
  }
  return copy
}
