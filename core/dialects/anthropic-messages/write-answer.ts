import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { type AnswerPart, aggregateAnswer } from '../neutral/aggregate-answer.ts'
import { isOfFirst } from '../neutral/choices.ts'
import { pagePlace } from '../neutral/citations.ts'
import { isHiddenThought } from '../neutral/hidden-thoughts.ts'
import { markdownImage } from '../neutral/media.ts'
import { writeCitation } from './citation.ts'
import { answeredArguments } from '../neutral/turns.ts'
import { charCount } from '../neutral/text-places.ts'
import { usageOf } from '../neutral/usage.ts'
import { refusedReason, writeStopReason } from './stop-reason.ts'
import { writeUsage } from './usage.ts'

export function writeAnswer(events: readonly ChatEvent[], meta: AnswerMeta): JsonObject {
  const answer = aggregateAnswer(
    events.filter((event) => isOfFirst(event, meta) && !isHiddenThought(event, meta)),
  )
  const choice = answer.choices[0] ?? { parts: [] }
  const said = answer.blocked === undefined ? (choice.finish?.reason ?? 'stop') : 'filtered'
  const isRefused = choice.parts.some(({ kind }) => kind === 'refusal')
  const reason = isRefused ? refusedReason(said) : said
  const usage = answer.usage ?? usageOf({ input: meta.estimatedInput })
  return {
    ...messageHead(meta),
    content: writeBlocks(choice.parts, answer.citations, meta),
    stop_reason: writeStopReason(reason),
    stop_sequence: choice.finish?.stopSequence ?? null,
    stop_details: stopDetails(reason === 'filtered'),
    usage: writeUsage(usage),
  }
}

/** A citation goes to the text that holds its place, one without a place to the last text. */
function writeBlocks(
  parts: readonly AnswerPart[],
  citations: readonly JsonObject[],
  { drop }: AnswerMeta,
): JsonObject[] {
  const texts = citations.length === 0 ? [] : parts.filter((part) => part.kind === 'text')
  let length = 0
  const ends = texts.map(({ text }) => (length += charCount(text)))
  const cited = new Map<AnswerPart, JsonObject[]>()
  for (const citation of citations) {
    const written = writeCitation(citation)
    const { start = 0, end = 0 } = pagePlace(citation) ?? {}
    const holder = end === 0 ? -1 : ends.findIndex((textEnd) => start < textEnd)
    const text = texts.at(holder)
    if (text && written) cited.set(text, [...(cited.get(text) ?? []), written])
    else drop?.('citations')
  }
  return parts.flatMap((part) => {
    const found = cited.get(part)
    return writeBlock(part).map((block) => (found ? { ...block, citations: found } : block))
  })
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
