import { randomBytes } from 'node:crypto'
import type { FormPart } from '../contract/adapter.ts'

/** A form as bytes (RFC 7578). The whole body is made at once: retries send it again. */
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
  // A line break in a client's content type would start a header of the client's own.
  const contentType = part.contentType.replace(/[\r\n]+/g, ' ') || 'application/octet-stream'
  return `${name}; filename="${quoted(part.filename)}"\r\nContent-Type: ${contentType}`
}

/** As browsers do it (HTML standard, multipart/form-data encoding algorithm). */
function quoted(text: string): string {
  return text.replace(/\r\n?|\n/g, '%0D%0A').replace(/"/g, '%22')
}

/** True when a form has more parts than `limit`: each of them becomes objects of its own. Looks for its boundary only. */
export function hasMoreParts(body: Buffer, contentType: string, limit: number): boolean {
  const boundary = /boundary="?([^";\s]{1,70})/i.exec(contentType)?.[1]
  if (boundary === undefined) return false
  const mark = Buffer.from(`--${boundary}`)
  // One mark more than parts: the last one ends the form.
  let left = limit + 1
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    left -= 1
    if (left < 0) return true
  }
  return false
}
