// JSON that has not come as the body of a request: answers of upstreams, and texts inside of bodies. Each list or object takes up to a microsecond and
// some fifty bytes, so a few kilobytes that are compressed could stop the process for a minute, or end it.
import { answerBounds, measureJson } from './json-bounds.ts'

/** What is shorter holds too little to matter. */
export const SHORT_JSON = 131_072
/** Lists, objects and fields inside the texts of one JSON value, as many as a body may hold itself. Tokens of models are longer. */
const MOST_HIDDEN = 500_000

/** As JSON.parse. @throws Error also for what would take too long */
export function boundedJson(text: string): unknown {
  if (text.length <= SHORT_JSON || holdsLittle(text)) return JSON.parse(text)
  const { fault } = measureJson(text, answerBounds)
  if (fault !== undefined) throw new SyntaxError(`The JSON is not read: ${fault}`)
  const value: unknown = JSON.parse(text)
  if (hidesTooMuch(value)) throw new SyntaxError('The JSON is not read: its texts hold too much')
  return value
}

/** As much of each as a short text can hold. */
const LITTLE = SHORT_JSON / 2

/** Vectors and pictures are long, but hold few lists, objects and fields. V8 searches them ten times as fast as JsonMeter reads them, which would take
 *  several times as long as parsing. Brackets in texts may also be written as escapes of ASCII. */
function holdsLittle(text: string): boolean {
  return (
    !exceeds(text, '[', LITTLE) &&
    !exceeds(text, '{', LITTLE) &&
    !exceeds(text, ':', LITTLE) &&
    !text.includes('\\u00') &&
    (text.length <= answerBounds.values || !exceeds(text, ',', answerBounds.values - 2 * LITTLE))
  )
}

function exceeds(text: string, mark: string, most: number): boolean {
  let count = 0
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    count += 1
    if (count > most) return true
  }
  return false
}

/** Whether texts of the value that look like JSON hold so much together that nobody should read them: arguments and results of tools are often JSON
 *  again, which other dialects write as such. */
export function hidesTooMuch(value: unknown): boolean {
  return hiddenIn(value, 0) > MOST_HIDDEN
}

/** Begun with what others hide. */
function hiddenIn(value: unknown, before: number): number {
  if (typeof value === 'string') return before + (looksLikeJson.test(value) ? marksIn(value) : 0)
  if (typeof value !== 'object' || value === null) return before
  let hidden = before
  for (const inner of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    if (typeof inner === 'number') continue
    hidden = hiddenIn(inner, hidden)
    if (hidden > MOST_HIDDEN) break
  }
  return hidden
}

const looksLikeJson = /^\s*[[{]/
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b
const COLON = 0x3a

/** Those of texts in it are counted too, since they may be read in their turn. */
function marksIn(text: string): number {
  let marks = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === OPEN_LIST || code === OPEN_OBJECT || code === COLON) marks += 1
  }
  return marks
}
