import { type JsonObject, objectIn } from '#core'

const ERROR_TYPE = 5
const channelKeys: ReadonlySet<string> = new Set([
  'admin_info',
  'channel_id',
  'channel_name',
  'channel_type',
])

const failed = {
  en: (status: string) =>
    `The provider could not answer this call${status && ` (status ${status})`}.`,
  zh: (status: string) => `上游未能完成此次调用${status && `（状态码 ${status}）`}。`,
}

/** The part of a row that its owner may see: nothing that names a channel or vendor, and no ids that would show how
 *  much others use. `id` repeats every 1024 rows, so it is no key. */
export function ownerView(row: JsonObject, language: 'en' | 'zh'): JsonObject {
  const other = readOther(row.other)
  const visible = Object.entries(other).filter(([key]) => !channelKeys.has(key))
  return {
    ...row,
    id: Number(row.id) % 1024,
    channel: 0,
    channel_name: '',
    // Error messages of an upstream may name it and its hosts.
    ...(row.type === ERROR_TYPE ? { content: failed[language](statusOf(other)) } : {}),
    other: visible.length === 0 ? '' : JSON.stringify(Object.fromEntries(visible)),
  }
}

/** Empty if the text is no JSON object. */
export function readOther(other: unknown): JsonObject {
  return (typeof other === 'string' && objectIn(other)) || {}
}

function statusOf(other: JsonObject): string {
  return typeof other.status_code === 'number' ? String(other.status_code) : ''
}
