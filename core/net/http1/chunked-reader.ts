import { protocolError } from './fields.ts'

/** States of the reader: the part of the frame that the next byte belongs to (RFC 9112 section 7.1). */
const SIZE = 0
const EXTENSION = 1
const SIZE_END = 2
const DATA = 3
const DATA_RETURN = 4
const DATA_END = 5
const TRAILER_START = 6
const TRAILER = 7
const TRAILER_END = 8
const LAST_END = 9
const DONE = 10

const RETURN = 0x0d
const NEWLINE = 0x0a
const MOST_SIZE_DIGITS = 12
/** The most bytes of extensions and trailers in a body, which nobody reads. */
const MOST_IGNORED_BYTES = 65_536
const noBytes = Buffer.alloc(0)

/** Removes the chunked framing from a body. */
export class ChunkedReader {
  #state = SIZE
  /** Bytes of the current chunk that have not arrived yet. */
  #left = 0
  #digits = 0
  #ignored = 0
  #hasSurplus = false
  #fault: unknown

  get isDone(): boolean {
    return this.#state === DONE
  }

  /** Whether bytes came after the end of the body. */
  get hasSurplus(): boolean {
    return this.#hasSurplus
  }

  /** A fault of the framing. The data before it has been returned. */
  get fault(): unknown {
    return this.#fault
  }

  /** Returns the data in these bytes as one piece. Moves it together inside the given buffer. */
  read(bytes: Buffer): Buffer {
    let from = 0
    let to = 0
    let at = 0
    while (at < bytes.length && this.#state !== DONE) {
      if (this.#state !== DATA) {
        if (!this.#passes(bytes[at] as number)) break
        at += 1
        continue
      }
      const end = Math.min(at + this.#left, bytes.length)
      if (to === from) from = to = at
      else bytes.copyWithin(to, at, end)
      to += end - at
      this.#left -= end - at
      if (this.#left === 0) this.#state = DATA_RETURN
      at = end
    }
    this.#hasSurplus = at < bytes.length
    return from === to ? noBytes : bytes.subarray(from, to)
  }

  #passes(byte: number): boolean {
    try {
      this.#step(byte)
      return true
    } catch (error) {
      this.#fault = error
      return false
    }
  }

  /** Takes one byte of the framing. */
  #step(byte: number): void {
    switch (this.#state) {
      case SIZE:
        return this.#readSize(byte)
      case EXTENSION:
        return this.#ignore(byte, RETURN, SIZE_END)
      case SIZE_END:
        return this.#expect(byte, NEWLINE, this.#left === 0 ? TRAILER_START : DATA)
      case DATA_RETURN:
        return this.#expect(byte, RETURN, DATA_END)
      case DATA_END:
        this.#digits = 0
        return this.#expect(byte, NEWLINE, SIZE)
      case TRAILER_START:
        if (byte === RETURN) this.#state = LAST_END
        else this.#ignore(byte, RETURN, TRAILER_END, TRAILER)
        return
      case TRAILER:
        return this.#ignore(byte, RETURN, TRAILER_END)
      case TRAILER_END:
        return this.#expect(byte, NEWLINE, TRAILER_START)
      default:
        return this.#expect(byte, NEWLINE, DONE)
    }
  }

  #readSize(byte: number): void {
    const digit = hexDigit(byte)
    if (digit >= 0) {
      this.#digits += 1
      if (this.#digits > MOST_SIZE_DIGITS) throw protocolError('INVALID_CHUNK_SIZE')
      this.#left = this.#left * 16 + digit
      return
    }
    if (this.#digits === 0) throw protocolError('INVALID_CHUNK_SIZE')
    if (byte === RETURN) this.#state = SIZE_END
    else if (byte === 0x3b || byte === 0x20 || byte === 0x09) this.#state = EXTENSION
    else throw protocolError('INVALID_CHUNK_SIZE')
  }

  #expect(byte: number, expected: number, next: number): void {
    if (byte !== expected) throw protocolError('INVALID_CHUNK')
    this.#state = next
  }

  #ignore(byte: number, end: number, next: number, meanwhile = this.#state): void {
    this.#ignored += 1
    if (byte === NEWLINE || this.#ignored > MOST_IGNORED_BYTES) throw protocolError('INVALID_CHUNK')
    this.#state = byte === end ? next : meanwhile
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
