// Speech in answers. Gemini sends raw samples (16-bit PCM, 24 kHz), which OpenAI calls pcm16. The voices have different names.
import type { ChatRequest } from '../../contract/neutral.ts'
import { wavFile } from '../../wire/wav.ts'
import { unsupportedParameter } from './request-errors.ts'

const SAMPLES_PER_SECOND = 24_000

/** The media type of Gemini's own speech. */
export const PCM_TYPE = `audio/L16;codec=pcm;rate=${SAMPLES_PER_SECOND}`

const OPENAI_VOICES: ReadonlySet<string> = new Set(
  'alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'.split(' '),
)

export function isOpenaiVoice(voice: unknown): boolean {
  return typeof voice === 'string' && OPENAI_VOICES.has(voice)
}

export function asksForSpeech({ modalities }: Pick<ChatRequest, 'modalities'>): boolean {
  return modalities?.some((kind) => kind.toLowerCase() === 'audio') === true
}

/** @throws request.unsupported_parameter for a format that samples cannot be written as without an encoder */
export function checkSampleFormat({ audio, stream }: ChatRequest): void {
  const format = audio?.format
  if (typeof format !== 'string' || format === 'pcm16' || (format === 'wav' && !stream)) return
  const taken = stream ? 'pcm16' : 'pcm16 or wav'
  throw unsupportedParameter('audio.format', `this model speaks ${taken}`)
}

/** Samples as a file that players can open. */
export function wavOf(samples: string): string {
  return wavFile(Buffer.from(samples, 'base64'), SAMPLES_PER_SECOND).toString('base64')
}
