import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import {
  type AnswerPart,
  type AggregatedAnswer,
  aggregateAnswer,
} from '../neutral/aggregate-answer.ts'
import { isOfFirst } from '../neutral/choices.ts'
import { freeformInput, freeformNames } from '../neutral/freeform-tools.ts'
import {
  callItem,
  customCallItem,
  imageItem,
  messageItem,
  reasoningItem,
  refusalPart,
  textPart,
} from './output-items.ts'
import { clientCallItem, clientToolsOf } from './client-tools.ts'
import { ownNames } from './namespaces.ts'
import { closedResponse } from './response-object.ts'
import { withoutDocuments } from '../neutral/citations.ts'
import { citationsByPart } from './citation.ts'

export function writeAnswer(events: readonly ChatEvent[], meta: AnswerMeta): JsonObject {
  const answer = aggregateAnswer(events.filter((event) => isOfFirst(event, meta)))
  const choice = answer.choices[0] ?? { parts: [] }
  const reason = answer.blocked === undefined ? (choice.finish?.reason ?? 'stop') : 'filtered'
  const isCut = reason === 'length' || reason === 'filtered'
  const output = writeItems(choice.parts, answer, meta, isCut)
  const head = closedResponse(meta, reason, answer.usage)
  meta.keepOutput?.(output, head)
  return { ...head, output }
}

function writeItems(
  parts: readonly AnswerPart[],
  answer: AggregatedAnswer,
  meta: AnswerMeta,
  isCut: boolean,
): JsonObject[] {
  const cited = citationsByPart(parts, withoutDocuments(answer.citations))
  const freeform = freeformNames(meta.request)
  const clientTools = clientToolsOf(meta.request)
  const nameOf = ownNames(meta.request)
  return parts.flatMap((part, index): JsonObject[] => {
    const id = `${meta.requestId}_${index}`
    const status = isCut && index === parts.length - 1 ? 'incomplete' : 'completed'
    switch (part.kind) {
      case 'text': {
        const citations = cited.get(part) ?? []
        return [messageItem(`msg_${id}`, status, [textPart(part.text, citations, part.logprobs)])]
      }
      case 'refusal':
        return [messageItem(`msg_${id}`, status, [refusalPart(part.text)])]
      case 'tool_call': {
        const tool = clientTools.get(part.name)
        if (tool) {
          const call = { id: part.id, text: part.arguments }
          return [clientCallItem(tool, `${tool.idPrefix}_${id}`, status, call)]
        }
        return freeform.has(part.name)
          ? [
              customCallItem(`ctc_${id}`, status, {
                id: part.id,
                called: nameOf(part.name, part.namespace),
                input: freeformInput(part.arguments),
              }),
            ]
          : [callItem(`fc_${id}`, status, { ...part, called: nameOf(part.name, part.namespace) })]
      }
      case 'reasoning': {
        const isForeign = part.text === '' && part.state?.owner !== 'openai'
        return isForeign ? [] : [reasoningItem(`rs_${id}`, part.text, part.state)]
      }
      case 'image':
        return part.source.type === 'base64'
          ? [imageItem(`ig_${id}`, part.source.mediaType, part.source.data)]
          : []
    }
  })
}
