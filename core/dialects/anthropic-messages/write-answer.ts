import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { type AnswerPart, aggregateAnswer } from '../neutral/aggregate-answer.ts'
import { isOfFirst } from '../neutral/choices.ts'
import { isHiddenThought } from '../neutral/hidden-thoughts.ts'
import { markdownImage } from '../neutral/media.ts'
import { writeCitation } from './citation.ts'
import { answeredArguments } from '../neutral/turns.ts'
import { usageOf } from '../neutral/usage.ts'
import { writeStopReason } from './stop-reason.ts'
import { writeUsage } from './usage.ts'

export function writeAnswer(events: readonly ChatEvent[], meta: AnswerMeta): JsonObject {
  const answer = aggregateAnswer(
    events.filter((event) => isOfFirst(event, meta) && !isHiddenThought(event, meta)),
  )
  const choice = answer.choices[0] ?? { parts: [] }
  const reason = answer.blocked === undefined ? (choice.finish?.reason ?? 'stop') : 'filtered'
  const usage = answer.usage ?? usageOf({ input: meta.estimatedInput })
  return {
    ...messageHead(meta),
    content: withCitations(choice.parts.flatMap(writeBlock), answer.citations),
    stop_reason: writeStopReason(reason),
    stop_sequence: choice.finish?.stopSequence ?? null,
    stop_details: stopDetails(reason === 'filtered'),
    usage: writeUsage(usage),
  }
}

/** All citations go to the last text, because the neutral form does not say which one they belong to. */
function withCitations(blocks: JsonObject[], citations: readonly JsonObject[]): JsonObject[] {
  const written = citations.flatMap((citation) => writeCitation(citation) ?? [])
  const last = blocks.findLast(({ type }) => type === 'text')
  if (last === undefined || written.length === 0) return blocks
  return blocks.map((block) => (block === last ? { ...block, citations: written } : block))
}

/** The fields before the content; the nullable ones of the newest version are present. */
export function messageHead(meta: AnswerMeta): JsonObject {
  return {
    id: `msg_${meta.requestId}`,
    type: 'message',
    role: 'assistant',
    model: meta.requestedModel,
    content: [],
    container: null,
    diagnostics: null,
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
  }
}

export function stopDetails(isRefusal: boolean): JsonObject | null {
  return isRefusal ? { type: 'refusal', category: null, explanation: null } : null
}

/** No `citations` where there are none: the AI SDK up to its sixth version refuses the whole answer for a null. */
function writeBlock(part: AnswerPart): JsonObject[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'image':
      return part.source.type === 'base64'
        ? [{ type: 'text', text: markdownImage(part.source.mediaType, part.source.data) }]
        : []
    case 'tool_call':
      return [
        {
          type: 'tool_use',
          id: part.id,
          name: part.name,
          input: answeredArguments(part.arguments),
          caller: { type: 'direct' },
        },
      ]
    case 'reasoning':
      return thinkingBlock(part)
  }
}

/** A client accepts only Anthropic's own signatures. */
function thinkingBlock(part: Extract<AnswerPart, { kind: 'reasoning' }>): JsonObject[] {
  const sealed = part.state?.owner === 'anthropic' ? part.state.data : ''
  if (part.redacted) return sealed === '' ? [] : [{ type: 'redacted_thinking', data: sealed }]
  if (part.text === '' && sealed === '') return []
  return [{ type: 'thinking', thinking: part.text, signature: sealed }]
}
