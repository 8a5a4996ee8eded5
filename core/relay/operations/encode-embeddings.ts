import type { Body } from '../../contract/adapter.ts'
import { isObject } from '../../contract/json.ts'

/** Writes vectors as base64 of little-endian float32 if the client asked for that and the upstream sent numbers;
 *  OpenAI's SDK asks for it by default. Returns the same body if there is nothing to encode. */
export function encodeEmbeddings(answer: Body, request: Body | undefined): Body {
  if (request?.['encoding_format'] !== 'base64' || !Array.isArray(answer['data'])) return answer
  const data = (answer['data'] as unknown[]).map(encodeEntry)
  return data.every((entry, index) => entry === (answer['data'] as unknown[])[index])
    ? answer
    : { ...answer, data }
}

function encodeEntry(entry: unknown): unknown {
  if (!isObject(entry) || !Array.isArray(entry['embedding'])) return entry
  const numbers = entry['embedding'] as number[]
  const bytes = Buffer.allocUnsafe(numbers.length * 4)
  numbers.forEach((value, index) => bytes.writeFloatLE(value, index * 4))
  return { ...entry, embedding: bytes.toString('base64') }
}
