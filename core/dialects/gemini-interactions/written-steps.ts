// What a model says, in the steps of an interaction.
import type { FinishReason, OpaqueState, Usage } from '../../contract/neutral.ts'
import { asText, objectOf, type JsonObject } from '../../contract/json.ts'
import { signature } from '../gemini/signature.ts'
import type { AnswerPart } from '../neutral/aggregate-answer.ts'
import { compact } from '../neutral/fields.ts'
import { PCM_TYPE } from '../neutral/speech.ts'
import { answeredArguments } from '../neutral/turns.ts'

/** A signature stands in a step of its own before what it seals. */
export function stepsOf(part: AnswerPart): JsonObject[] {
  switch (part.kind) {
    case 'text':
      return [...sealOf(part.state), ...(part.text === '' ? [] : [output(textContent(part.text))])]
    case 'refusal':
      return [output(textContent(part.text))]
    case 'reasoning':
      return [
        compact({
          type: 'thought',
          signature: signature(part.state)['thoughtSignature'],
          summary: part.text === '' ? undefined : [textContent(part.text)],
        }),
      ]
    case 'tool_call': {
      const { id, name, arguments: args } = part
      return [
        ...sealOf(part.state),
        { type: 'function_call', id, name, arguments: answeredArguments(args) },
      ]
    }
    case 'image':
      return part.source.type === 'base64'
        ? [...sealOf(part.state), output(imageContent(part.source.mediaType, part.source.data))]
        : []
  }
}

function sealOf(state: OpaqueState | undefined): JsonObject[] {
  const { thoughtSignature } = signature(state)
  return thoughtSignature === undefined ? [] : [{ type: 'thought', signature: thoughtSignature }]
}

function output(...content: JsonObject[]): JsonObject {
  return { type: 'model_output', content }
}

export function textContent(text: string): JsonObject {
  return { type: 'text', text }
}

export function imageContent(mediaType: string, data: string): JsonObject {
  return { type: 'image', mime_type: mediaType, data }
}

/** Undefined if a piece of sound holds no samples. */
export function audioContent({ data }: JsonObject): JsonObject | undefined {
  return asText(data) === '' ? undefined : { type: 'audio', mime_type: PCM_TYPE, data }
}

export function annotationOf(citation: JsonObject): JsonObject {
  return { type: 'url_citation', ...objectOf(citation['url_citation']) }
}

export function statusOf(reason: FinishReason | undefined): string {
  if (reason === 'tool_calls') return 'requires_action'
  const isWhole = reason === undefined || reason === 'stop' || reason === 'stop_sequence'
  return isWhole ? 'completed' : 'incomplete'
}

/** Thoughts are counted beside the output. */
export function writeUsage(usage: Usage): JsonObject {
  const { input, output: out, reasoning, inputAudio, inputImage, outputAudio, outputImage } = usage
  const said = Math.max(0, out - reasoning)
  const searches = Object.entries(usage.toolCalls ?? {}).filter(([tool]) =>
    tool.startsWith('google_'),
  )
  return compact({
    total_input_tokens: input,
    input_tokens_by_modality: byModality(input, inputAudio, inputImage),
    total_cached_tokens: usage.cacheRead,
    total_output_tokens: said,
    output_tokens_by_modality: byModality(said, outputAudio, outputImage),
    total_thought_tokens: reasoning,
    total_tokens: input + out,
    grounding_tool_count:
      searches.length > 0 ? searches.map(([type, count]) => ({ type, count })) : undefined,
  })
}

function byModality(all: number, audio: number, image: number): JsonObject[] {
  const counts = [
    { modality: 'text', tokens: Math.max(0, all - audio - image) },
    { modality: 'audio', tokens: audio },
    { modality: 'image', tokens: image },
  ]
  return counts.filter(({ tokens }) => tokens > 0)
}
