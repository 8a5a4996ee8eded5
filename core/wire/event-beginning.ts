// Recognises a body by its bytes: some upstreams label event streams as plain text or JSON, or not at all.
import type { UpstreamResponse } from '../contract/http-client.ts'
import { isObject } from '../contract/json.ts'
import { withoutMark } from './byte-order-mark.ts'
import { mediaTypeOf } from './media-type.ts'
import { parseLoosely } from './parse-loosely.ts'

const EVENTS = 'text/event-stream'
/** A comment or a field of an event (WHATWG HTML, section 9.2.6). */
const beginning = /^(?:data|event|id|retry)?:/
/** The length of the longest field name with its colon. */
const DECISIVE_LETTERS = 6
/** The most white space before an answer, which some upstreams send while they work. */
const MOST_SPACE_BYTES = 65_536
/** A byte order mark, a tab, line ends and blanks. */
const space: ReadonlySet<number | undefined> = new Set([0xef, 0xbb, 0xbf, 9, 10, 13, 32])

const BRACE = 0x7b

export function beginsEvents(bytes: Uint8Array): boolean {
  // Nearly all answers are objects.
  if (bytes[0] === BRACE) return false
  return beginning.test(firstLetters('', bytes))
}

/** The response, with the type of an event stream if its bytes begin one. */
export async function typedByBytes(response: UpstreamResponse): Promise<UpstreamResponse> {
  const type = mediaTypeOf(response.headers)
  if (type.includes(EVENTS) || type.includes('ndjson') || type.includes('eventstream'))
    return response
  const { letters, body } = await begun(response, (first) => beginning.test(first))
  if (!beginning.test(letters)) return { ...response, body }
  return { ...response, headers: { ...response.headers, 'content-type': EVENTS }, body }
}

/** A JSON object. Sound and texts begin like this only by a very rare chance. */
const objectBeginning = /^\{\s*(?:["}]|$)/
/** Longer bodies are not errors with a missing label. */
const LONGEST_OBJECT_BYTES = 1_048_576

/** The response, with the type JSON if its bytes are a JSON object: some upstreams send an error instead of sound,
 *  without a type or as plain text. */
export async function jsonByBytes(response: UpstreamResponse): Promise<UpstreamResponse> {
  const { letters, body } = await begun(response)
  if (!objectBeginning.test(letters)) return { ...response, body }
  const read: Uint8Array[] = []
  let size = 0
  while (size < LONGEST_OBJECT_BYTES) {
    const next = await body.next()
    if (next.done) {
      const whole = { ...response, body: replayed(read) }
      if (!isObject(parseLoosely(withoutMark(Buffer.concat(read)).toString('utf8')))) return whole
      return { ...whole, headers: { ...response.headers, 'content-type': 'application/json' } }
    }
    read.push(next.value)
    size += next.value.length
  }
  return { ...response, body: replayed(read, body) }
}

/** Reads the first letters of a body.
 *  @returns them, and the body from its beginning */
async function begun(
  response: UpstreamResponse,
  isKnown: (letters: string) => boolean = () => false,
): Promise<{ letters: string; body: AsyncIterableIterator<Uint8Array> }> {
  const rest = response.body[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  let letters = ''
  let size = 0
  while (letters.length < DECISIVE_LETTERS && !isKnown(letters) && size < MOST_SPACE_BYTES) {
    const next = await rest.next()
    if (next.done) break
    read.push(next.value)
    size += next.value.length
    letters = firstLetters(letters, next.value)
  }
  return { letters, body: replayed(read, rest) }
}

/** The response with a body that was read already. */
export function inOnePiece(response: UpstreamResponse, bytes: Uint8Array): UpstreamResponse {
  return { ...response, body: replayed([bytes]) }
}

function firstLetters(before: string, bytes: Uint8Array): string {
  let at = 0
  if (before === '') while (at < MOST_SPACE_BYTES && space.has(bytes[at])) at += 1
  const piece = bytes.subarray(at, at + DECISIVE_LETTERS - before.length)
  return before + String.fromCharCode(...piece)
}

/** Yields the pieces that were read already, then the rest. If the reader stops early, the rest is closed too. */
function replayed(
  read: Uint8Array[],
  rest?: AsyncIterator<Uint8Array>,
): AsyncIterableIterator<Uint8Array> {
  const end = { done: true, value: undefined } as const
  return {
    next: async () => {
      const value = read.shift()
      return value === undefined ? ((await rest?.next()) ?? end) : { done: false, value }
    },
    return: async () => (await rest?.return?.()) ?? end,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
