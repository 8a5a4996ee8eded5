// Gemini counts thoughts beside the candidates; the internal output holds both.
import type { Usage } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { tokens, usageOf } from '../neutral/usage.ts'

export function readUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined
  const thoughts = tokens(value.thoughtsTokenCount)
  return usageOf({
    input: tokens(value.promptTokenCount) + tokens(value.toolUsePromptTokenCount),
    cacheRead: tokens(value.cachedContentTokenCount),
    inputAudio: uncached(value, 'AUDIO'),
    inputImage: uncached(value, 'IMAGE'),
    output: tokens(value.candidatesTokenCount) + thoughts,
    reasoning: thoughts,
    outputAudio: ofModality(value.candidatesTokensDetails, 'AUDIO'),
    outputImage: ofModality(value.candidatesTokensDetails, 'IMAGE'),
  })
}

/** Cached tokens are part of both counts; they are charged at the price of the cache. */
function uncached(value: JsonObject, modality: string): number {
  const all = ofModality(value.promptTokensDetails, modality)
  return Math.max(0, all - ofModality(value.cacheTokensDetails, modality))
}

function ofModality(details: unknown, modality: string): number {
  if (!Array.isArray(details)) return 0
  const found = details.find((entry) => isObject(entry) && entry.modality === modality) as unknown
  return isObject(found) ? tokens(found.tokenCount) : 0
}

export function writeUsage(usage: Usage): JsonObject {
  return {
    promptTokenCount: usage.input,
    ...(usage.cacheRead === 0 ? {} : { cachedContentTokenCount: usage.cacheRead }),
    candidatesTokenCount: Math.max(0, usage.output - usage.reasoning),
    ...(usage.reasoning === 0 ? {} : { thoughtsTokenCount: usage.reasoning }),
    totalTokenCount: usage.input + usage.output,
    promptTokensDetails: detailsOf(usage.input, usage.inputAudio, usage.inputImage),
    ...(usage.outputAudio + usage.outputImage === 0
      ? {}
      : {
          candidatesTokensDetails: detailsOf(
            usage.output - usage.reasoning,
            usage.outputAudio,
            usage.outputImage,
          ),
        }),
  }
}

function detailsOf(all: number, audio: number, image: number): JsonObject[] {
  const details = [
    { modality: 'TEXT', tokenCount: Math.max(0, all - audio - image) },
    { modality: 'AUDIO', tokenCount: audio },
    { modality: 'IMAGE', tokenCount: image },
  ]
  return details.filter((entry) => entry.tokenCount > 0)
}
