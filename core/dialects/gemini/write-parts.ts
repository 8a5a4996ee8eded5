import type { AnswerMeta } from '../../contract/dialect.ts'
import type { OpaqueState, Usage } from '../../contract/neutral.ts'
import { asText, type JsonObject } from '../../contract/json.ts'
import type { AnswerPart } from '../neutral/aggregate-answer.ts'
import { PCM_TYPE } from '../neutral/speech.ts'
import { answeredArguments } from '../neutral/turns.ts'
import { usageOf } from '../neutral/usage.ts'
import { signature } from './signature.ts'
import { writeUsage } from './usage.ts'

export function writePart(part: AnswerPart): JsonObject[] {
  switch (part.kind) {
    case 'text':
    case 'refusal': {
      const seal = part.kind === 'text' ? signature(part.state) : {}
      const isNothing = part.text === '' && seal.thoughtSignature === undefined
      return isNothing ? [] : [{ text: part.text, ...seal }]
    }
    case 'reasoning':
      return part.text === '' ? [] : [{ text: part.text, thought: true, ...signature(part.state) }]
    case 'tool_call':
      return [callPart(part)]
    case 'image':
      return part.source.type === 'base64'
        ? [imagePart(part.source.mediaType, part.source.data, part.state)]
        : []
  }
}

export function imagePart(
  mimeType: string,
  data: string,
  state: OpaqueState | undefined,
): JsonObject {
  return { inlineData: { mimeType, data }, ...signature(state) }
}

/** Clients of this dialect get samples, as they asked for, and the transcript. Undefined if there is neither. */
export function speechPart({ data, transcript }: JsonObject): JsonObject | undefined {
  const said = asText(data)
  const words = asText(transcript)
  if (said === '' && words === '') return undefined
  return {
    ...(said === '' ? {} : { inlineData: { mimeType: PCM_TYPE, data: said } }),
    ...(words === '' ? {} : { audioTranscription: { text: words } }),
  }
}

export function callPart(call: {
  id: string
  name: string
  arguments: string
  state?: OpaqueState
}): JsonObject {
  return {
    functionCall: { id: call.id, name: call.name, args: answeredArguments(call.arguments) },
    ...signature(call.state),
  }
}

/** The fields that every answer and chunk ends with. */
export function answerTail(meta: AnswerMeta, usage: Usage | undefined): JsonObject {
  return {
    usageMetadata: writeUsage(usage ?? usageOf({ input: meta.estimatedInput })),
    modelVersion: meta.requestedModel,
    responseId: meta.requestId,
  }
}
