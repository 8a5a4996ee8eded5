import type { Socket } from 'node:net'
import { fieldName, isFieldValue, protocolError } from './fields.ts'

export interface OutgoingRequest {
  method: string
  /** Path and query, encoded. */
  path: string
  host: string
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array | undefined
}

/** Above it a copy costs more than a vector of two. */
const MOST_COPIED_BYTES = 16_384
const pathPattern = /^\/[\x21-\x7e]*$/
const methodPattern = /^[A-Z]{1,20}$/

/** What belongs to one connection is not for whoever writes a request. */
const ownFields: ReadonlySet<string> = new Set(['connection', 'content-length', 'te', 'trailer'])
const refusedFields: ReadonlySet<string> = new Set([
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])

/** A request as it goes out: what is one call of the socket where that can be. */
export interface EncodedRequest {
  /** Latin-1: the head, and the body where it is short or ASCII. */
  text: string
  rest: string | Uint8Array | undefined
}

/** @throws protocolError: a field, path or method that HTTP does not allow */
export function encodeRequest(request: OutgoingRequest): EncodedRequest {
  const { body } = request
  const size = body === undefined ? 0 : Buffer.byteLength(body)
  const head = headOf(request, size)
  if (body === undefined || size === 0) return { text: head, rest: undefined }
  if (typeof body === 'string') {
    // A text of as many bytes as signs is ASCII, which is Latin-1 as well.
    if (size === body.length) return { text: head + body, rest: undefined }
  } else if (size <= MOST_COPIED_BYTES) {
    return { text: head + bufferOf(body).toString('latin1', 0, size), rest: undefined }
  }
  return { text: head, rest: body }
}

export function writeRequest(socket: Socket, { text, rest }: EncodedRequest): void {
  if (rest === undefined) return void socket.write(text, 'latin1')
  socket.cork()
  socket.write(text, 'latin1')
  socket.write(rest)
  socket.uncork()
}

function headOf({ method, path, host, headers, body }: OutgoingRequest, size: number): string {
  if (!methodPattern.test(method) || !pathPattern.test(path)) throw protocolError('INVALID_REQUEST')
  let fields = ''
  let hasHost = false
  for (const given in headers) {
    const value = headers[given]
    // Plugins of others are not held to the types.
    if (value === undefined) continue
    const name = fieldName(given)
    if (name === undefined || refusedFields.has(name) || !isFieldValue(value))
      throw protocolError('INVALID_HEADER')
    if (ownFields.has(name)) continue
    hasHost ||= name === 'host'
    fields += `${name}: ${value}\r\n`
  }
  if (!hasHost) fields = `host: ${host}\r\n${fields}`
  // A server waits for a body after these methods, unless it is told that there is none.
  if (body !== undefined || method === 'POST' || method === 'PUT' || method === 'PATCH')
    fields += `content-length: ${size}\r\n`
  return `${method} ${path} HTTP/1.1\r\n${fields}connection: keep-alive\r\n\r\n`
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
