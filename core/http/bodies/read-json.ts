import { AppError, type Text, errorType } from '../../contract/errors.ts'
import { FieldNames, JsonMeter, measureJson } from '../../wire/json-bounds.ts'

const jsonBroken = errorType<{ reason: string | Text }>(
  'request.malformed_json',
  400,
  { en: 'The request body is not valid JSON: {reason}.', zh: '请求体不是合法的 JSON：{reason}。' },
  { relay: 'invalid_request' },
)

/** Parses JSON after checking its depth and number of values.
 *  @throws request.malformed_json */
export function readJson(bytes: Buffer): unknown {
  return readMeasuredJson(bytes).value
}

/** The same, and returns the number of fields in the text.
 *  @throws request.malformed_json */
export function readMeasuredJson(bytes: Buffer): { value: unknown; members: number } {
  try {
    const text = bytes.toString('utf8')
    const members = membersOfLarge.get(bytes) ?? checkJson(text)
    return { value: JSON.parse(text), members }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw jsonBroken({ reason: placeOf(cause) }, { cause })
  }
}

/** The number of fields of bodies that were measured while they arrived. */
const membersOfLarge = new WeakMap<Buffer, number>()

/** Measures a large body while it arrives: it is refused as soon as it exceeds a bound, and no turn of the event loop reads much of it. */
export class LargeJson {
  readonly #meter = new JsonMeter(new FieldNames())

  /** @returns request.malformed_json as soon as the text is nested too deep or holds too many values */
  take(chunk: Buffer): Error | undefined {
    const reason = this.#meter.take(chunk.toString('latin1'))
    return reason === undefined ? undefined : jsonBroken({ reason })
  }

  /** Saves measuring this body again. */
  remember(body: Buffer): void {
    membersOfLarge.set(body, this.#meter.members)
  }
}

/** For JSON that did not come as a body.
 *  @returns the number of its fields
 *  @throws request.malformed_json if it is nested too deep or holds too many values */
export function checkJson(text: string): number {
  const { fault, members } = measureJson(text)
  if (fault !== undefined) throw jsonBroken({ reason: fault })
  return members
}

// V8's message quotes the text around the error, which may be the caller's prompt: only the position is reported.
function placeOf(cause: unknown): Text {
  const message = cause instanceof Error ? cause.message : ''
  const place = /position (\d+)(?: \(line (\d+) column (\d+)\))?/.exec(message)
  if (!place) return { en: 'it ends too early or is not JSON', zh: '内容不完整或不是 JSON' }
  const [words, position, line, column] = place
  const inLines = line === undefined ? '' : `（第 ${line} 行第 ${column} 列）`
  return { en: `the fault is at ${words}`, zh: `错误位于第 ${position} 个字符之后${inLines}` }
}
