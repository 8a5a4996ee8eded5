// Form bodies: decoded for what a gateway sent upstream, written for what a client sends.
import { randomBytes } from 'node:crypto'
import type { FixtureFormPart } from './fixture.ts'

/** Fields of an urlencoded or multipart body; a file part stands with its file name, a repeated name with its last value. */
export function readForm(contentType: string | undefined, body: Buffer): Record<string, string> {
  const boundary = /multipart\/form-data;.*boundary="?([^";]+)"?/i.exec(contentType ?? '')?.[1]
  return boundary === undefined
    ? Object.fromEntries(new URLSearchParams(body.toString('utf8')))
    : readMultipart(body.toString('latin1'), boundary)
}

function readMultipart(text: string, boundary: string): Record<string, string> {
  const fields: Record<string, string> = {}
  // The first piece is the preamble, the last one the closing mark.
  for (const piece of `\r\n${text}`.split(`\r\n--${boundary}`).slice(1, -1)) {
    const headEnd = piece.indexOf('\r\n\r\n')
    const head = Buffer.from(piece.slice(0, headEnd), 'latin1').toString('utf8')
    const name = /[;\s]name="([^"]*)"/i.exec(head)?.[1]
    if (headEnd < 0 || name === undefined) continue
    const filename = /filename="([^"]*)"/i.exec(head)?.[1]
    fields[name] = filename ?? Buffer.from(piece.slice(headEnd + 4), 'latin1').toString('utf8')
  }
  return fields
}

export function writeMultipart(parts: readonly FixtureFormPart[]): {
  contentType: string
  body: Buffer
} {
  const boundary = `tollgate-${randomBytes(12).toString('hex')}`
  const pieces = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${partHead(part)}\r\n\r\n`),
    part.base64 === undefined ? Buffer.from(part.value ?? '') : Buffer.from(part.base64, 'base64'),
    Buffer.from('\r\n'),
  ])
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

function partHead({ name, filename, contentType }: FixtureFormPart): string {
  const disposition = `Content-Disposition: form-data; name="${name}"`
  if (filename === undefined) return disposition
  return `${disposition}; filename="${filename}"\r\nContent-Type: ${contentType ?? 'application/octet-stream'}`
}
