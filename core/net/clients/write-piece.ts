// Pieces of a chunked answer, framed by us. Node writes length, line end, piece and line end one by one, and the socket gathers the four again:
// a text that is framed already is one write. Since Node 26 a piece that Node frames waits for the end of the turn, and one of ours that follows would
// overtake it: of an answer in pieces, only the last may be Node's.
import type { ServerResponse } from 'node:http'

type Answer = Pick<ServerResponse, 'chunkedEncoding' | 'write' | 'end'>

const LINE_END = '\r\n'
const CLOSING = '0\r\n\r\n'

/** The head must have been told. False where the client must take first what waits. @param isAscii as the caller knows; false: it is looked for */
export function writePiece(answer: Answer, text: string, isAscii = false): boolean {
  if (text === '') return answer.write(text)
  const size = isAscii ? text.length : Buffer.byteLength(text)
  const encoding = encodingOf(text, size)
  // Of a client that knows no chunks, as those of HTTP/1.0.
  if (!answer.chunkedEncoding) return answer.write(text, encoding)
  answer.chunkedEncoding = false
  const isTaken = answer.write(framed(text, size), encoding)
  answer.chunkedEncoding = true
  return isTaken
}

/** A text and bytes after it, which are not copied. */
export function writeBytes(answer: Answer, before: string, bytes: Uint8Array): boolean {
  if (!answer.chunkedEncoding || bytes.length === 0) {
    if (before !== '') answer.write(before)
    return answer.write(bytes)
  }
  answer.chunkedEncoding = false
  answer.write(framedText(before) + frameOf(bytes))
  answer.write(bytes)
  const isTaken = answer.write(LINE_END, 'latin1')
  answer.chunkedEncoding = true
  return isTaken
}

/** The last piece, and the end. */
export function endWithPiece(answer: Answer, text: string): void {
  const size = Buffer.byteLength(text)
  const encoding = encodingOf(text, size)
  if (!answer.chunkedEncoding || size === 0) return void answer.end(text, encoding)
  answer.chunkedEncoding = false
  answer.end(framed(text, size) + CLOSING, encoding)
}

/** A text, bytes after it, the last piece, and the end. */
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
  answer.write(framedText(before) + frameOf(bytes))
  answer.write(bytes)
  answer.end(LINE_END + framedText(text) + CLOSING)
}

/** Where each character is one byte of ASCII, writing it as Latin-1 spares its being encoded. */
function encodingOf(text: string, size: number): 'latin1' | 'utf8' {
  return size === text.length ? 'latin1' : 'utf8'
}

function framed(text: string, size: number): string {
  return `${size.toString(16)}\r\n${text}\r\n`
}

function framedText(text: string): string {
  return text === '' ? '' : framed(text, Buffer.byteLength(text))
}

/** What stands before the bytes of a piece. */
function frameOf(bytes: Uint8Array): string {
  return bytes.length.toString(16) + LINE_END
}
