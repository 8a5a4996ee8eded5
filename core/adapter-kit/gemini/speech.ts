// Speech of the tts models, by generateContent. Source: ai.google.dev/gemini-api/docs, page "Speech generation".
import type { BinaryAnswer, Body } from '../../contract/adapter.ts'
import { UpstreamError } from '../../contract/errors.ts'
import { isObject, objectOf, objectsOf, type JsonObject } from '../../contract/json.ts'
import { promptBlocked } from '../../upstream-failures/client-error.ts'
import { unreadable } from '../../dialects/neutral/parsed-event.ts'
import { readUsage } from '../../dialects/gemini/usage.ts'
import { wavFile } from '../../wire/wav.ts'

const DEFAULT_RATE = 24_000

export function toGeminiSpeech({ input, voice, instructions }: Body): Body {
  const text =
    typeof instructions === 'string' && instructions !== ''
      ? `${instructions}: ${typeof input === 'string' ? input : ''}`
      : input
  return {
    contents: [{ role: 'user', parts: [{ text }] }],
    generationConfig: {
      responseModalities: ['AUDIO'],
      ...(typeof voice === 'string'
        ? { speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } } }
        : {}),
    },
  }
}

/** Raw samples become a WAV file, unless the client asked for raw samples. @throws UpstreamError without audio */
export function fromGeminiSpeech(
  body: unknown,
  request: Readonly<JsonObject> | undefined,
): BinaryAnswer {
  if (!isObject(body)) throw unreadable()
  const audio = inlineAudio(body)
  if (audio === undefined) throw noAudio(body)
  const usage = readUsage(body['usageMetadata'])
  const counted = usage === undefined ? {} : { usage }
  const data = Buffer.from(audio.data, 'base64')
  const rate = Number(/rate=(\d+)/.exec(audio.mimeType)?.[1] ?? DEFAULT_RATE)
  const isSamples = /L16|pcm/i.test(audio.mimeType)
  if (!isSamples) return { mediaType: audio.mimeType, data, ...counted }
  return request?.['response_format'] === 'pcm'
    ? { mediaType: `audio/pcm;rate=${rate}`, data, ...counted }
    : { mediaType: 'audio/wav', data: wavFile(data, rate), ...counted }
}

interface InlineAudio {
  mimeType: string
  data: string
}

function inlineAudio(body: JsonObject): InlineAudio | undefined {
  const [candidate] = objectsOf(body['candidates'])
  for (const { inlineData } of objectsOf(objectOf(candidate?.['content'])['parts'])) {
    const { mimeType, data } = objectOf(inlineData)
    if (typeof mimeType === 'string' && typeof data === 'string') return { mimeType, data }
  }
  return undefined
}

function noAudio(body: JsonObject): UpstreamError {
  const feedback = objectOf(body['promptFeedback'])['blockReason']
  return typeof feedback === 'string'
    ? new UpstreamError(promptBlocked(feedback), 'content')
    : unreadable()
}
