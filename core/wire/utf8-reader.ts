import { isUtf8 } from 'node:buffer'

const BYTE_ORDER_MARK = 0xfeff

/** Decodes UTF-8 that arrives in pieces, which may be cut inside a character. A byte order mark at the start is dropped. */
export class Utf8Reader {
  #held: Buffer | undefined
  #isFresh = true

  /** True if the text that was read last corresponds exactly to its bytes. */
  isExact = false

  read(bytes: Uint8Array): string {
    let buffer = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const isFirst = this.#held === undefined
    if (this.#held !== undefined) {
      buffer = Buffer.concat([this.#held, buffer])
      this.#held = undefined
    }
    const cut = buffer.length - unfinishedLength(buffer)
    // Copied, because the caller may reuse the memory of its chunk.
    if (cut < buffer.length) this.#held = Buffer.from(buffer.subarray(cut))
    const text = buffer.toString('utf8', 0, cut)
    const shown = this.#dropMark(text)
    this.isExact = isFirst && cut === buffer.length && shown === text && isUtf8(buffer)
    return shown
  }

  /** The text of the bytes that were held back; an unfinished character becomes U+FFFD. */
  end(): string {
    const text = this.#held?.toString('utf8') ?? ''
    this.#held = undefined
    return this.#dropMark(text)
  }

  #dropMark(text: string): string {
    if (!this.#isFresh || text === '') return text
    this.#isFresh = false
    return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
  }
}

/** The number of bytes at the end that belong to an incomplete character. */
function unfinishedLength(buffer: Buffer): number {
  const longest = Math.min(3, buffer.length)
  for (let back = 1; back <= longest; back += 1) {
    const byte = buffer[buffer.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < characterLength(byte) ? back : 0
  }
  return 0
}

function characterLength(lead: number): number {
  if (lead >= 0xf0) return 4
  return lead >= 0xe0 ? 3 : 2
}
