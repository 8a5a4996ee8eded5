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

/** Above this size, copying costs more than a write of two pieces. */
const MOST_COPIED_BYTES = 16_384
const pathPattern = /^\/[\x21-\x7e]*$/
const methodPattern = /^[A-Z]{1,20}$/

/** Fields that belong to the connection, so the writer of a request cannot set them. */
const ownFields: ReadonlySet<string> = new Set(['connection', 'content-length', 'te', 'trailer'])
const refusedFields: ReadonlySet<string> = new Set([
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])

/** A request as it is written, in a single piece if possible. */
export interface EncodedRequest {
  /** Latin-1. The head, and the body if it is short or ASCII. */
  text: string
  rest: string | Uint8Array | undefined
}

/** @throws protocolError for a field, path or method that HTTP does not allow */
export function encodeRequest(request: OutgoingRequest): EncodedRequest {
  const { body } = request
  const size = body === undefined ? 0 : Buffer.byteLength(body)
  const head = headOf(request, size)
  if (body === undefined || size === 0) return { text: head, rest: undefined }
  if (typeof body === 'string') {
    // A text with as many bytes as characters is ASCII, which is also Latin-1.
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
    // External plugins may ignore the types.
    if (value === undefined) continue
    const name = fieldName(given)
    if (name === undefined || refusedFields.has(name) || !isFieldValue(value))
      throw protocolError('INVALID_HEADER')
    if (ownFields.has(name)) continue
    hasHost ||= name === 'host'
    fields += `${name}: ${value}\r\n`
  }
  if (!hasHost) fields = `host: ${host}\r\n${fields}`
  // After these methods a server expects a body unless its length is given as 0.
  if (body !== undefined || method === 'POST' || method === 'PUT' || method === 'PATCH')
    fields += `content-length: ${size}\r\n`
  return `${method} ${path} HTTP/1.1\r\n${fields}connection: keep-alive\r\n\r\n`
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
