import type { OpaqueState, TokenLogprob } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { OwnName } from './namespaces.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export function textPart(
  text: string,
  annotations: readonly JsonObject[] = [],
  logprobs: readonly TokenLogprob[] = [],
): JsonObject {
  return { type: 'output_text', text, annotations, logprobs }
}

export function refusalPart(refusal: string): JsonObject {
  return { type: 'refusal', refusal }
}

export function messageItem(
  id: string,
  status: ItemStatus,
  content: readonly JsonObject[],
): JsonObject {
  return { id, type: 'message', status, role: 'assistant', content }
}

/** OpenAI's seal is returned to its client; seals of other providers are not, since the client cannot use them. */
export function reasoningItem(id: string, text: string, state?: OpaqueState): JsonObject {
  const isOwn = state?.owner === 'openai'
  return {
    id: isOwn ? (state.id ?? id) : id,
    type: 'reasoning',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(isOwn ? { encrypted_content: state.data } : {}),
  }
}

export function callItem(
  id: string,
  status: ItemStatus,
  call: { id: string; called: OwnName; arguments: string },
): JsonObject {
  return {
    id,
    type: 'function_call',
    status,
    call_id: call.id,
    ...call.called,
    arguments: call.arguments,
  }
}

/** A call of a custom tool, whose input is the text itself. */
export function customCallItem(
  id: string,
  status: ItemStatus,
  call: { id: string; called: OwnName; input: string },
): JsonObject {
  return {
    id,
    type: 'custom_tool_call',
    status,
    call_id: call.id,
    ...call.called,
    input: call.input,
  }
}

export function imageItem(id: string, mediaType: string, data: string): JsonObject {
  const format = mediaType.slice(mediaType.indexOf('/') + 1)
  return {
    id,
    type: 'image_generation_call',
    status: 'completed',
    output_format: format,
    result: data,
  }
}
