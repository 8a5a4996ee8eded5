import { randomBytes } from 'node:crypto'
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

/** Whether a form has more parts than `limit`, since each part becomes several objects. Searches only for the boundary. */
export function hasMoreParts(body: Buffer, contentType: string, limit: number): boolean {
  const boundary = /boundary="?([^";\s]{1,70})/i.exec(contentType)?.[1]
  if (boundary === undefined) return false
  const mark = Buffer.from(`--${boundary}`)
  // There is one boundary more than there are parts: the last one ends the form.
  let left = limit + 1
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    left -= 1
    if (left < 0) return true
  }
  return false
}
