// Reads the content of one message: a string or a list of typed parts.
import type { Part } from '../../contract/neutral.ts'
import { cacheMark } from '../neutral/cache-mark.ts'
import type { Fields } from '../neutral/fields.ts'
import { sourceOfUrl } from '../neutral/media.ts'
import { requestInvalid } from '../neutral/request-errors.ts'

export function parseContent(message: Fields): Part[] {
  const { content } = message.body
  if (content === undefined || content === null) return []
  if (typeof content === 'string') {
    return content === '' ? [] : [{ kind: 'text', text: content, ...cacheMark(message.body) }]
  }
  if (!Array.isArray(content)) {
    throw requestInvalid(message.name('content'), 'must be a string or a list of parts')
  }
  return message.items('content').flatMap(parsePart)
}

const partParsers: Readonly<Record<string, (part: Fields) => Part[]>> = {
  text: parseText,
  // Some clients mix up the two dialects of OpenAI.
  input_text: parseText,
  output_text: parseText,
  image_url: parseImage,
  input_audio: parseAudio,
  file: parseFile,
  refusal: (part) => [{ kind: 'refusal', text: part.text('refusal') ?? '' }],
  thinking: () => [],
}

function parsePart(part: Fields): Part[] {
  const type = part.text('type') ?? 'text'
  const parse = Object.hasOwn(partParsers, type) ? partParsers[type] : undefined
  if (parse === undefined) throw requestInvalid(part.name('type'), `"${type}" is not supported`)
  return parse(part)
}

function parseText(part: Fields): Part[] {
  const text = part.text('text') ?? ''
  return text === '' ? [] : [{ kind: 'text', text, ...cacheMark(part.body) }]
}

function parseImage(part: Fields): Part[] {
  // Some clients send the URL itself instead of an object.
  const isBare = typeof part.body.image_url === 'string'
  const image = isBare ? part : part.inside('image_url')
  if (image === undefined) throw requestInvalid(part.name('image_url'), 'is required')
  const source = sourceOfUrl(image.requiredText(isBare ? 'image_url' : 'url'))
  const detail = isBare ? undefined : image.text('detail')
  return [
    {
      kind: 'image',
      source,
      ...(detail === undefined ? {} : { detail }),
      ...cacheMark(part.body),
    },
  ]
}

const AUDIO_TYPES: ReadonlyMap<string, string> = new Map([
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
])

function parseAudio(part: Fields): Part[] {
  const audio = part.inside('input_audio')
  if (audio === undefined) throw requestInvalid(part.name('input_audio'), 'is required')
  const format = audio.text('format') ?? 'wav'
  return [
    {
      kind: 'audio',
      data: audio.requiredText('data'),
      mediaType: AUDIO_TYPES.get(format) ?? `audio/${format}`,
    },
  ]
}

function parseFile(part: Fields): Part[] {
  const file = part.inside('file')
  if (file === undefined) throw requestInvalid(part.name('file'), 'is required')
  const name = file.text('filename')
  const id = file.text('file_id')
  const common = { ...(name === undefined ? {} : { name }), ...cacheMark(part.body) }
  if (id !== undefined) {
    return [{ kind: 'file', source: { type: 'file_id', id, dialect: 'openai-chat' }, ...common }]
  }
  const data = file.requiredText('file_data')
  const isUrl = /^(?:data|https?):/i.test(data)
  const source = isUrl
    ? sourceOfUrl(data)
    : ({ type: 'base64', mediaType: 'application/pdf', data } as const)
  return [{ kind: 'file', source, ...common }]
}
