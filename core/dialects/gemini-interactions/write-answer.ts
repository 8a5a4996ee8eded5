import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { aggregateAnswer } from '../neutral/aggregate-answer.ts'
import { usageOf } from '../neutral/usage.ts'
import { annotationOf, audioContent, statusOf, stepsOf, writeUsage } from './written-steps.ts'

export function writeAnswer(events: readonly ChatEvent[], meta: AnswerMeta): JsonObject {
  const { choices, usage, citations, audio, blocked } = aggregateAnswer(events)
  const [choice] = choices
  const steps = choice?.parts.flatMap(stepsOf) ?? []
  annotate(steps, citations)
  const said = audioContent(audio ?? {})
  if (said) steps.push({ type: 'model_output', content: [said] })
  meta.keepOutput?.(steps)
  return {
    ...head(meta),
    status: blocked === undefined ? statusOf(choice?.finish?.reason) : 'failed',
    steps,
    usage: writeUsage(usage ?? usageOf({ input: meta.estimatedInput })),
    ...(blocked === undefined ? {} : { errors: [blockedBy(blocked)] }),
  }
}

/** The prompt was refused. */
export function blockedBy(reason: string): JsonObject {
  return { code: 'blocked', message: reason }
}

/** The form of our own ids, by which other nodes know what they may have (relay/conversation/answer-items.ts). */
export function interactionId(requestId: string): string {
  return `int_${requestId}_0`
}

export function head({ requestId, requestedModel, createdSeconds }: AnswerMeta): JsonObject {
  const created = new Date(createdSeconds * 1000).toISOString()
  return {
    id: interactionId(requestId),
    object: 'interaction',
    model: requestedModel,
    created,
    updated: created,
  }
}

/** Sources belong to the text that came before them. */
function annotate(steps: readonly JsonObject[], citations: readonly JsonObject[]): void {
  if (citations.length === 0) return
  const contents = steps.flatMap(({ content }) =>
    Array.isArray(content) ? (content as JsonObject[]) : [],
  )
  const text = contents.findLast(({ type }) => type === 'text')
  if (text) text['annotations'] = citations.map(annotationOf)
}
