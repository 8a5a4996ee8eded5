// The newer models for pictures and speech share a path that answers at once with the address of a file.
// Source: help.aliyun.com/zh/model-studio, pages "Qwen-Image API", "Wan text-to-image V2 API" and "Qwen-TTS API".
import {
  isObject,
  objectsOf,
  UpstreamError,
  type AttemptContext,
  type BinaryAnswer,
  type Body,
  type JsonObject,
} from '#core'
import { compact, readFailure, tokens } from '#adapter-kit'
import { imageAnswer, toSize } from './images.ts'

export const MULTIMODAL_PATH = '/services/aigc/multimodal-generation/generation'
export const SPEECH_PATH = '/services/audio/tts/SpeechSynthesizer'

/** The other models draw by a task. */
export function drawsAtOnce(model: string): boolean {
  return /^(?:qwen-image|z-image|wan(?:2\.[6-9]|[3-9]))/.test(model)
}

const UNSAID = ['quality', 'style', 'background'] as const

export function toPicture(body: Body, { drop }: AttemptContext): Body {
  for (const field of UNSAID) if (body[field] !== undefined) drop(field)
  const { model, prompt, size, n, seed, negative_prompt, prompt_extend, watermark } = body
  return {
    model,
    input: { messages: [{ role: 'user', content: [{ text: prompt }] }] },
    parameters: compact({
      size: toSize(size),
      n,
      seed,
      negative_prompt,
      prompt_extend,
      watermark,
    }),
  }
}

/** @throws UpstreamError for an answer without a picture */
export function fromPicture(body: Body, context: AttemptContext): Promise<Body> {
  const urls = objectsOf(outputOf(body).choices).flatMap(({ message }) =>
    objectsOf(isObject(message) ? message.content : undefined).flatMap(({ image }) =>
      typeof image === 'string' ? [image] : [],
    ),
  )
  if (urls.length === 0) throw new UpstreamError(readFailure(200, body), 'upstream')
  return imageAnswer(urls, context)
}

/** These have a path of their own, and a choice of formats; the others speak in WAV only. */
export function isSynthesizer(model: string): boolean {
  return model.startsWith('qwen-audio-')
}

export function toSpeech(body: Body, { model, drop }: AttemptContext): Body {
  const { input: text, voice, response_format: format, instructions, language_type, speed } = body
  if (speed !== undefined && speed !== 1) drop('speed')
  if (isSynthesizer(model))
    return { model, input: compact({ text, voice, format, instruction: instructions }) }
  if (format !== undefined && format !== 'wav') drop('response_format')
  return { model, input: compact({ text, voice, language_type, instructions }) }
}

/** @throws UpstreamError for an answer without sound */
export async function fromSpeech(body: Body, { fetchFile }: AttemptContext): Promise<BinaryAnswer> {
  const { audio } = outputOf(body)
  if (!isObject(audio) || typeof audio.url !== 'string' || audio.url === '')
    throw new UpstreamError(readFailure(200, body), 'upstream')
  const { mediaType, data } = await fetchFile(audio.url)
  return {
    mediaType: mediaType.startsWith('audio/') ? mediaType : 'audio/wav',
    data,
    ...usageOf(body.usage),
  }
}

/** Most models charge by characters, of which a Chinese one counts as two; their tokens are missing or 0. */
function usageOf(usage: unknown): Pick<BinaryAnswer, 'usage'> {
  if (!isObject(usage)) return {}
  const input = tokens(usage.input_tokens) || tokens(usage.characters)
  const output = tokens(usage.output_tokens)
  return input + output === 0 ? {} : { usage: { input, output } }
}

function outputOf({ output }: JsonObject): JsonObject {
  return isObject(output) ? output : {}
}
