// Writes an answer of unknown length in chunks of HTTP/1.1 that are framed here instead of by Node. Node writes the length, a line end, the
// text and a line end one by one, which the socket has to join again; a text that is framed already is a single write. Since Node 26, a chunk
// that Node frames waits until the end of the turn, so a chunk framed here would overtake it: only the last chunk of an answer may be Node's.
import type { ServerResponse } from 'node:http'

type Answer = Pick<ServerResponse, 'chunkedEncoding' | 'write' | 'end'>

const LINE_END = '\r\n'
const CLOSING = '0\r\n\r\n'
const MOST_JOINED_BYTES = 16_384

/** Writes a text as one chunk. The head of the answer must have been written.
 *  @param isAscii true if the caller knows that the text is ASCII; otherwise its bytes are counted
 *  @returns false if the caller should wait for 'drain' before it writes more */
export function writePiece(answer: Answer, text: string, isAscii = false): boolean {
  if (text === '') return answer.write(text)
  const size = isAscii ? text.length : Buffer.byteLength(text)
  const encoding = encodingOf(text, size)
  // A client of HTTP/1.0 knows no chunks.
  if (!answer.chunkedEncoding) return answer.write(text, encoding)
  answer.chunkedEncoding = false
  const isTaken = answer.write(framed(text, size), encoding)
  answer.chunkedEncoding = true
  return isTaken
}

/** Writes a text and the bytes that follow it as two chunks. The bytes are not copied. */
export function writeBytes(answer: Answer, before: string, bytes: Uint8Array): boolean {
  if (!answer.chunkedEncoding || bytes.length === 0) {
    if (before !== '') answer.write(before)
    return answer.write(bytes)
  }
  answer.chunkedEncoding = false
  answer.write(framedText(before) + lengthLine(bytes.length))
  answer.write(bytes)
  const isTaken = answer.write(LINE_END, 'latin1')
  answer.chunkedEncoding = true
  return isTaken
}

/** Writes the last chunk and ends the answer. */
export function endWithPiece(answer: Answer, text: string): void {
  const size = Buffer.byteLength(text)
  const encoding = encodingOf(text, size)
  if (!answer.chunkedEncoding || size === 0) return void answer.end(text, encoding)
  answer.chunkedEncoding = false
  if (size <= MOST_JOINED_BYTES) return void answer.end(framed(text, size) + CLOSING, encoding)
  // Three pieces of one write cost less than one more copy of a long text.
  answer.write(lengthLine(size), 'latin1')
  answer.write(text, encoding)
  answer.end(LINE_END + CLOSING, 'latin1')
}

/** Writes a text, the bytes that follow it and the last chunk, and ends the answer. */
export function endWithBytes(
  answer: Answer,
  before: string,
  bytes: Uint8Array,
  text: string,
): void {
  if (!answer.chunkedEncoding || bytes.length === 0) {
    writeBytes(answer, before, bytes)
    return endWithPiece(answer, text)
  }
  answer.chunkedEncoding = false
  answer.write(framedText(before) + lengthLine(bytes.length))
  answer.write(bytes)
  answer.end(LINE_END + framedText(text) + CLOSING)
}

/** If each character is one byte, the text is ASCII, and writing it as Latin-1 saves the encoding. */
function encodingOf(text: string, size: number): 'latin1' | 'utf8' {
  return size === text.length ? 'latin1' : 'utf8'
}

function framed(text: string, size: number): string {
  return lengthLine(size) + text + LINE_END
}

function framedText(text: string): string {
  return text === '' ? '' : framed(text, Buffer.byteLength(text))
}

/** The length line of a chunk. */
function lengthLine(size: number): string {
  return size.toString(16) + LINE_END
}
