import { randomBytes } from 'node:crypto'
import { MIMEType } from 'node:util'
import type { FormPart } from '../contract/http-client.ts'

/** Encodes a form (RFC 7578). The whole body is built at once, because retries send it again. */
export function encodeForm(parts: readonly FormPart[]): { body: Buffer; contentType: string } {
  const boundary = `tollgate-${randomBytes(16).toString('hex')}`
  const pieces: Uint8Array[] = []
  for (const part of parts) {
    pieces.push(Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`))
    pieces.push('data' in part ? part.data : Buffer.from(part.value))
    pieces.push(Buffer.from('\r\n'))
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return { body: Buffer.concat(pieces), contentType: `multipart/form-data; boundary=${boundary}` }
}

function headOf(part: FormPart): string {
  const name = `Content-Disposition: form-data; name="${quoted(part.name)}"`
  if (!('data' in part)) return name
  // A line break in the client's content type would let the client add a header.
  const contentType = part.contentType.replace(/[\r\n]+/g, ' ') || 'application/octet-stream'
  return `${name}; filename="${quoted(part.filename)}"\r\nContent-Type: ${contentType}`
}

/** Quotes as browsers do (HTML standard, multipart/form-data encoding algorithm). */
function quoted(text: string): string {
  return text.replace(/\r\n?|\n/g, '%0D%0A').replace(/"/g, '%22')
}

/** The most bytes of the headers of a part: its name, and a file's name and type. */
export const MOST_HEAD_BYTES = 4_096
const headEnd = Buffer.from('\r\n\r\n')
const lastMark = Buffer.from('--')
/** Can stand in a header between quotes. RFC 2046 allows 70 characters. */
const readable = /^[ !#-[\]-~]{1,200}$/

/** What separates the parts of a form; undefined if its type does not name it.
 *  A reader that is given the body must be given this boundary, too: a header can be written so that two readers find two of them. */
export function boundaryOf(contentType: string): string | undefined {
  let boundary: string | null
  try {
    boundary = new MIMEType(contentType).params.get('boundary')
  } catch {
    return undefined
  }
  return boundary !== null && readable.test(boundary) ? boundary : undefined
}

export function formTypeOf(boundary: string): string {
  return `multipart/form-data; boundary="${boundary}"`
}

/** What a form has too much of, since each part becomes several objects and readers look at each byte of its headers. Searches only for the
 *  boundary. */
export function excessOf(body: Buffer, boundary: string, mostParts: number): Excess | undefined {
  const mark = Buffer.from(`--${boundary}`)
  // There is one boundary more than there are parts: the last one ends the form.
  let left = mostParts + 1
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    left -= 1
    if (left < 0) return 'parts'
    const head = body.subarray(at + mark.length, at + mark.length + MOST_HEAD_BYTES)
    const isLast = head.subarray(0, lastMark.length).equals(lastMark)
    if (!isLast && head.length === MOST_HEAD_BYTES && !head.includes(headEnd)) return 'headers'
  }
  return undefined
}

export type Excess = 'parts' | 'headers'
