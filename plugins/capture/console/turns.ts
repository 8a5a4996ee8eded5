import { isObject } from '#console'

/** A turn of a conversation as plain text. */
export interface Turn {
  who: string
  text: string
}

const listKeys = ['messages', 'input', 'contents', 'choices', 'output', 'candidates'] as const
const leadKeys = [
  'system',
  'instructions',
  'systemInstruction',
  'system_instruction',
  'prompt',
  'query',
] as const

/** The turns of a conversation in order, each with its speaker. It knows no format closely: any text in the body counts. */
export function turnsOf(body: unknown): Turn[] {
  if (!isObject(body)) return []
  const leads = leadKeys.flatMap((key) =>
    body[key] === undefined ? [] : [{ who: key, text: textsIn(body[key]).join('\n') }],
  )
  const lists = listKeys.flatMap((key) => {
    const value = body[key]
    if (Array.isArray(value)) return value.map((one) => turnOf(one, key))
    return typeof value === 'string' ? [{ who: key, text: value }] : []
  })
  const turns = [...leads, ...lists]
  const all = turns.length > 0 ? turns : [{ who: '', text: textsIn(body).join('\n') }]
  return all.filter(({ text }) => text !== '')
}

function turnOf(value: unknown, fallback: string): Turn {
  const inner = isObject(value) && isObject(value['message']) ? value['message'] : value
  const role = isObject(inner) ? (inner['role'] ?? inner['type']) : undefined
  return { who: typeof role === 'string' ? role : fallback, text: textsIn(inner).join('\n') }
}

/** Fields whose values are words of the format, not texts. */
const quiet = new Set([
  'role',
  'type',
  'id',
  'object',
  'model',
  'finish_reason',
  'finishReason',
  'stop_reason',
  'status',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'media_type',
  'mime_type',
  'signature',
  'thoughtSignature',
  'encrypted_content',
])

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => (quiet.has(key) ? [] : textsIn(inner)))
}
