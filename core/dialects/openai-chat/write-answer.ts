import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import {
  type AnswerPart,
  type AggregatedAnswer,
  type AggregatedChoice,
  aggregateAnswer,
} from '../neutral/aggregate-answer.ts'
import { withoutDocuments } from '../neutral/citations.ts'
import { freeformInput, freeformNames } from '../neutral/freeform-tools.ts'
import { markdownImage } from '../neutral/media.ts'
import { wavOf } from '../neutral/speech.ts'
import { writeFinishReason } from './finish-reason.ts'
import { writeUsage } from './usage.ts'

export function writeAnswer(events: readonly ChatEvent[], meta: AnswerMeta): JsonObject {
  const answer = aggregateAnswer(events)
  return {
    id: `chatcmpl-${meta.requestId}`,
    object: 'chat.completion',
    created: meta.createdSeconds,
    model: meta.requestedModel,
    choices: answer.choices.map((choice, index) => writeChoice(choice, index, answer, meta)),
    ...(answer.usage === undefined ? {} : { usage: writeUsage(answer.usage) }),
  }
}

function writeChoice(
  choice: AggregatedChoice,
  index: number,
  answer: AggregatedAnswer,
  meta: AnswerMeta,
): JsonObject {
  const calls = choice.parts.filter((part) => part.kind === 'tool_call')
  const usesLegacy = meta.legacyFunctions && calls.length > 0
  const reason = writeFinishReason(
    answer.blocked === undefined ? (choice.finish?.reason ?? 'stop') : 'filtered',
  )
  return {
    index,
    message: {
      role: 'assistant',
      content: contentOf(choice.parts),
      refusal: joined(choice.parts, 'refusal') || null,
      ...reasoningOf(choice.parts),
      ...(calls.length === 0
        ? {}
        : usesLegacy
          ? legacyCall(calls)
          : { tool_calls: writeCalls(calls, meta) }),
      ...(index === 0 ? extrasOf(answer, meta) : {}),
    },
    logprobs: logprobsOf(choice.parts),
    finish_reason: usesLegacy && reason === 'tool_calls' ? 'function_call' : reason,
  }
}

function logprobsOf(parts: readonly AnswerPart[]): JsonObject | null {
  const content = parts.flatMap((part) => (part.kind === 'text' ? (part.logprobs ?? []) : []))
  return content.length === 0 ? null : { content, refusal: null }
}

function joined(parts: readonly AnswerPart[], kind: 'text' | 'reasoning' | 'refusal'): string {
  let text = ''
  for (const part of parts) if (part.kind === kind) text += part.text
  return text
}

function contentOf(parts: readonly AnswerPart[]): string | null {
  let text = ''
  for (const part of parts) {
    if (part.kind === 'text') text += part.text
    else if (part.kind === 'image' && part.source.type === 'base64') {
      text += markdownImage(part.source.mediaType, part.source.data)
    }
  }
  const hasOther = parts.some((part) => part.kind === 'tool_call' || part.kind === 'refusal')
  return text === '' && hasOther ? null : text
}

function reasoningOf(parts: readonly AnswerPart[]): JsonObject {
  const reasoning = joined(parts, 'reasoning')
  return reasoning === '' ? {} : { reasoning_content: reasoning }
}

type ToolCallPart = Extract<AnswerPart, { kind: 'tool_call' }>

function writeCalls(calls: readonly ToolCallPart[], { request }: AnswerMeta): JsonObject[] {
  const freeform = freeformNames(request)
  return calls.map((call) => writeCall(call, call.freeform ?? freeform.has(call.name)))
}

function writeCall(call: ToolCallPart, isFreeform: boolean): JsonObject {
  if (isFreeform) {
    const custom = { name: call.name, input: freeformInput(call.arguments) }
    return { id: call.id, type: 'custom', custom, ...signatureOf(call.state) }
  }
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
    ...signatureOf(call.state),
  }
}

/** Gemini's signature is sent where Google's own OpenAI-compatible endpoint puts it. States of other providers are not sent. */
export function signatureOf(state: ToolCallPart['state']): JsonObject {
  return state?.owner === 'gemini'
    ? { extra_content: { google: { thought_signature: state.data } } }
    : {}
}

function legacyCall(calls: readonly ToolCallPart[]): JsonObject {
  return { function_call: { name: calls[0]?.name, arguments: calls[0]?.arguments } }
}

/** Gemini's samples come without the fields that OpenAI's SDKs expect beside them. */
function speechOf(audio: JsonObject, meta: AnswerMeta): JsonObject {
  if (typeof audio.id === 'string' || typeof audio.data !== 'string') return audio
  const isFile = meta.request?.audio?.format === 'wav'
  return {
    id: `audio_${meta.requestId}`,
    expires_at: meta.createdSeconds,
    transcript: '',
    ...audio,
    data: isFile ? wavOf(audio.data) : audio.data,
  }
}

function extrasOf(answer: AggregatedAnswer, meta: AnswerMeta): JsonObject {
  const annotations = withoutDocuments(answer.citations)
  return {
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(answer.audio === undefined ? {} : { audio: speechOf(answer.audio, meta) }),
  }
}
