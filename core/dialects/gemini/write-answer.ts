import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import {
  type AggregatedAnswer,
  type AggregatedChoice,
  aggregateAnswer,
} from '../neutral/aggregate-answer.ts'
import { writeGeminiLogprobs } from '../neutral/logprobs.ts'
import { writeFinishReason } from './finish-reason.ts'
import { answerTail, writePart } from './write-parts.ts'

export function writeAnswer(events: readonly ChatEvent[], meta: AnswerMeta): JsonObject {
  const answer = aggregateAnswer(events)
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
  return {
    content: { parts: choice.parts.flatMap(writePart), role: 'model' },
    finishReason: writeFinishReason(choice.finish?.reason ?? 'stop'),
    index,
    ...writeGeminiLogprobs(
      choice.parts.flatMap((part) => (part.kind === 'text' ? (part.logprobs ?? []) : [])),
    ),
    ...(index === 0 ? groundingOf(answer.citations) : {}),
  }
}

export function groundingOf(citations: readonly JsonObject[]): JsonObject {
  const chunks = citations.flatMap((citation) => {
    const place = isObject(citation.url_citation) ? citation.url_citation : citation
    return typeof place.url === 'string' ? [{ web: { uri: place.url, title: place.title } }] : []
  })
  return chunks.length === 0 ? {} : { groundingMetadata: { groundingChunks: chunks } }
}
