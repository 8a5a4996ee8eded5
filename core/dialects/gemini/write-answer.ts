import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import {
  type AggregatedAnswer,
  type AggregatedChoice,
  aggregateAnswer,
} from '../neutral/aggregate-answer.ts'
import { isHiddenThought } from '../neutral/hidden-thoughts.ts'
import { writeGeminiLogprobs } from '../neutral/logprobs.ts'
import { writeFinishReason } from './finish-reason.ts'
import { groundingOf } from './grounding.ts'
import { answerTail, speechPart, writePart } from './write-parts.ts'

export function writeAnswer(events: readonly ChatEvent[], meta: AnswerMeta): JsonObject {
  const answer = aggregateAnswer(events.filter((event) => !isHiddenThought(event, meta)))
  const tail = answerTail(meta, answer.usage)
  if (answer.blocked !== undefined) {
    return { promptFeedback: { blockReason: answer.blocked }, ...tail }
  }
  return {
    candidates: answer.choices.map((choice, index) => writeCandidate(choice, index, answer)),
    ...tail,
  }
}

function writeCandidate(
  choice: AggregatedChoice,
  index: number,
  answer: AggregatedAnswer,
): JsonObject {
  const said = index === 0 ? speechPart(answer.audio ?? {}) : undefined
  const speech = said === undefined ? [] : [said]
  return {
    content: { parts: [...choice.parts.flatMap(writePart), ...speech], role: 'model' },
    finishReason: writeFinishReason(choice.finish?.reason ?? 'stop'),
    index,
    ...writeGeminiLogprobs(
      choice.parts.flatMap((part) => (part.kind === 'text' ? (part.logprobs ?? []) : [])),
    ),
    ...(index === 0 ? groundingOf(answer.citations, textOf(choice)) : {}),
  }
}

function textOf({ parts }: AggregatedChoice): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
}
