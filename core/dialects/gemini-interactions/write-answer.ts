import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatEvent, FinishReason, Usage } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { type AggregatedAnswer, aggregateAnswer } from '../neutral/aggregate-answer.ts'
import { compact } from '../neutral/fields.ts'
import { usageOf } from '../neutral/usage.ts'
import { annotationOf, audioContent, statusOf, stepsOf, writeUsage } from './written-steps.ts'

export function writeAnswer(events: readonly ChatEvent[], meta: AnswerMeta): JsonObject {
  const answer = aggregateAnswer(events)
  const { choices, usage, blocked } = answer
  const steps = stepsOfAnswer(answer)
  const head = closedInteraction(meta, { blocked, usage, reason: choices[0]?.finish?.reason })
  meta.keepOutput?.(steps, head)
  return { ...head, steps }
}

interface Ending {
  blocked: string | undefined
  reason: FinishReason | undefined
  usage: Usage | undefined
}

/** All but the steps. */
export function closedInteraction(
  meta: AnswerMeta,
  { blocked, reason, usage }: Ending,
): JsonObject {
  return {
    ...interactionHead(meta),
    status: blocked === undefined ? statusOf(reason) : 'failed',
    usage: writeUsage(usage ?? usageOf({ input: meta.estimatedInput })),
    ...(blocked === undefined ? {} : { errors: [blockedBy(blocked)] }),
  }
}

/** An interaction has one answer. */
export function stepsOfAnswer({ choices, citations, audio }: AggregatedAnswer): JsonObject[] {
  const steps = choices[0]?.parts.flatMap(stepsOf) ?? []
  annotate(steps, citations)
  const said = audioContent(audio ?? {})
  return said ? [...steps, { type: 'model_output', content: [said] }] : steps
}

/** The prompt was refused. */
export function blockedBy(reason: string): JsonObject {
  return { code: 'blocked', message: reason }
}

/** The form of our own ids, by which other nodes know what they may have (relay/conversation/answer-items.ts). */
export function interactionId(requestId: string): string {
  return `int_${requestId}`
}

export function interactionHead({
  requestId,
  requestedModel,
  createdSeconds,
  previousId,
}: AnswerMeta): JsonObject {
  const created = new Date(createdSeconds * 1000).toISOString()
  return compact({
    id: interactionId(requestId),
    object: 'interaction',
    model: requestedModel,
    created,
    updated: created,
    previous_interaction_id: previousId,
  })
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
