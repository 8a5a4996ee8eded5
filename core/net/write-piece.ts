// Pieces of a chunked answer, framed by us. Node writes length, line end, piece and line end one by one, and the socket gathers the four again:
// a text that is framed already is one write.
import type { ServerResponse } from 'node:http'

type Answer = Pick<ServerResponse, 'chunkedEncoding' | 'write' | 'end'>

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

/** The last piece, and the end. */
export function endWithPiece(answer: Answer, text: string): void {
  const size = Buffer.byteLength(text)
  const encoding = encodingOf(text, size)
  if (!answer.chunkedEncoding || size === 0) return void answer.end(text, encoding)
  answer.chunkedEncoding = false
  answer.end(framed(text, size) + CLOSING, encoding)
}

/** Where each character is one byte of ASCII, writing it as Latin-1 spares its being encoded. */
function encodingOf(text: string, size: number): 'latin1' | 'utf8' {
  return size === text.length ? 'latin1' : 'utf8'
}

function framed(text: string, size: number): string {
  return `${size.toString(16)}\r\n${text}\r\n`
}
