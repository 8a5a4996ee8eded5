// Requests that Node refuses before a route sees them: not HTTP, too many headers, too slow, or with an unknown expectation.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from '../contract/services.ts'
import { refusalBody } from './refusal-body.ts'
import { newRequestId, requestIdHeaders } from './request-id.ts'

interface Refusal {
  status: number
  message: string
}

const noHttp: Refusal = { status: 400, message: 'The request is not valid HTTP.' }
/** By the code of Node's error. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    message: 'The chunk extensions of the body are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
}
const unknownExpectation: Refusal = {
  status: 417,
  message: 'The only expectation that can be met is 100-continue.',
}

interface ParserError extends Error {
  code?: string
  /** The bytes that were read last, which may contain the beginning of the request. */
  rawPacket?: Buffer
}

/** Answers with a body in the dialect of the caller, as far as it is known, and closes the connection. */
export function refuseUnread(server: Server, log: Logger): void {
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    const { code = '', rawPacket } = error
    if (!socket.writable || code === 'ECONNRESET' || hasBegun(socket)) {
      socket.destroy()
      return
    }
    const refusal = refusals[code] ?? noHttp
    log.info({ code, status: refusal.status }, 'a request could not be read')
    socket.end(answerText(pathIn(rawPacket), refusal), () => socket.destroy())
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { status } = unknownExpectation
    log.info({ status }, 'a request could not be read')
    const path = request.url?.split('?')[0] ?? '/'
    const { headers, body } = answerOf({ path, headers: request.headers }, unknownExpectation)
    response.writeHead(status, headers).end(body)
  })
}

/** Whether an earlier answer on this connection has sent its head: more text would be taken for its body. Node shows
 *  this only in this internal field. */
function hasBegun(socket: Duplex): boolean {
  const current = Reflect.get(socket, '_httpMessage') as
    | { headersSent?: boolean }
    | null
    | undefined
  return current?.headersSent === true
}

function pathIn(packet: Buffer | undefined): string {
  return /^[A-Z]+ ([^ ?\r\n]+)/.exec(packet?.toString('latin1', 0, 1024) ?? '')?.[1] ?? '/'
}

function answerText(path: string, refusal: Refusal): string {
  const { headers, body } = answerOf({ path, headers: {} }, refusal)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const reason = STATUS_CODES[refusal.status] ?? ''
  return `HTTP/1.1 ${refusal.status} ${reason}\r\n${lines.join('')}\r\n${body}`
}

function answerOf(request: Parameters<typeof refusalBody>[0], refusal: Refusal) {
  const requestId = newRequestId()
  const body = JSON.stringify(refusalBody(request, { ...refusal, requestId }))
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...requestIdHeaders(requestId),
  }
  return { headers, body }
}
