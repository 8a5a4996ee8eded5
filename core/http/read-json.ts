import { errorType } from '../contract/errors.ts'

export const jsonBroken = errorType<{ reason: string }>(
  'request.malformed_json',
  400,
  { en: 'The request body is not valid JSON: {reason}.', zh: '请求体不是合法的 JSON：{reason}。' },
  { relay: 'invalid_request' },
)

const MAX_DEPTH = 128

/** Parses JSON and bounds its depth.
 *  @throws request.malformed_json */
export function readJson(bytes: Buffer): unknown {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw jsonBroken({ reason: placeOf(cause) }, { cause })
  }
  if (typeof value === 'object' && value !== null && !isShallow(value, MAX_DEPTH)) {
    throw jsonBroken({ reason: `it is nested more than ${MAX_DEPTH} levels deep` })
  }
  return value
}

function isShallow(value: object, depth: number): boolean {
  if (depth === 0) return false
  if (Array.isArray(value)) {
    for (const inner of value) {
      if (typeof inner === 'object' && inner !== null && !isShallow(inner as object, depth - 1))
        return false
    }
    return true
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (typeof inner === 'object' && inner !== null && !isShallow(inner, depth - 1)) return false
  }
  return true
}

// V8 quotes the text around the fault, which may be the caller's prompt; only the place is told.
function placeOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : ''
  const place = /position \d+( \(line \d+ column \d+\))?/.exec(message)
  return place ? `the fault is at ${place[0]}` : 'it ends too early or is no JSON'
}
