import { AppError, type Text, errorType } from '../contract/errors.ts'
import { measureJson } from './json-bounds.ts'

const jsonBroken = errorType<{ reason: string | Text }>(
  'request.malformed_json',
  400,
  { en: 'The request body is not valid JSON: {reason}.', zh: '请求体不是合法的 JSON：{reason}。' },
  { relay: 'invalid_request' },
)

/** Parses JSON whose depth and number of values are within bounds; they are counted before it is parsed.
 *  @throws request.malformed_json */
export function readJson(bytes: Buffer): unknown {
  return readMeasuredJson(bytes).value
}

/** The same, with the number of fields that stand in the text.
 *  @throws request.malformed_json */
export function readMeasuredJson(bytes: Buffer): { value: unknown; members: number } {
  try {
    const text = bytes.toString('utf8')
    const members = checkJson(text)
    return { value: JSON.parse(text), members }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw jsonBroken({ reason: placeOf(cause) }, { cause })
  }
}

/** For JSON that came another way than by a body.
 *  @returns the number of its fields
 *  @throws request.malformed_json when it is nested too deep or holds too many values */
export function checkJson(text: string): number {
  const { fault, members } = measureJson(text)
  if (fault !== undefined) throw jsonBroken({ reason: fault })
  return members
}

// V8 quotes the text around the fault, which may be the caller's prompt; only the place is told.
function placeOf(cause: unknown): Text {
  const message = cause instanceof Error ? cause.message : ''
  const place = /position \d+( \(line \d+ column \d+\))?/.exec(message)
  if (!place) return { en: 'it ends too early or is no JSON', zh: '内容不完整或不是 JSON' }
  return { en: `the fault is at ${place[0]}`, zh: `错误位于 ${place[0]}` }
}
