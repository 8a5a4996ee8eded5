import { isObject, UpstreamError, type AttemptContext, type BinaryAnswer, type Body } from '#core'
import { compact, tokens, unknownFailure, without } from '#adapter-kit'

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['pcm', 'audio/pcm'],
])

/** Source: platform.minimax.io, "T2A v2". MiniMax's own fields win over OpenAI's. */
export function toSpeech(body: Body): Body {
  const voice = isObject(body.voice_setting) ? body.voice_setting : {}
  const audio = isObject(body.audio_setting) ? body.audio_setting : {}
  return {
    ...without(body, 'input', 'voice', 'speed', 'response_format', 'instructions', 'stream_format'),
    text: body.input,
    stream: false,
    voice_setting: compact({ voice_id: body.voice, speed: body.speed, ...voice }),
    audio_setting: { format: formatOf(body), ...audio },
  }
}

/** The sound comes as hexadecimal text in JSON, beside the characters that are charged: a Chinese one counts as two. */
export function fromSpeech(body: Body, { clientBody }: AttemptContext): BinaryAnswer {
  const data = isObject(body.data) ? body.data : {}
  if (typeof data.audio !== 'string' || data.audio === '')
    throw new UpstreamError(unknownFailure(200), 'upstream')
  const characters = isObject(body.extra_info) ? tokens(body.extra_info.usage_characters) : 0
  return {
    mediaType: MEDIA_TYPES.get(formatOf(clientBody ?? {})) ?? 'application/octet-stream',
    data: Buffer.from(data.audio, 'hex'),
    ...(characters === 0 ? {} : { usage: { input: characters } }),
  }
}

function formatOf({ response_format: format }: Body): string {
  return typeof format === 'string' && MEDIA_TYPES.has(format) ? format : 'mp3'
}
