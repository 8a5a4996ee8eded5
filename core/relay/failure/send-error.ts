import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ClientError, ErrorDialect, ErrorWriter } from '../../contract/dialect.ts'
import { AppError } from '../../contract/errors.ts'
import type { EventBus } from '../../contract/events.ts'
import type { Logger } from '../../contract/services.ts'
import { codecs } from '../../dialects/index.ts'
import type { CallTraces } from '../call/call-traces.ts'
import { gatewayErrorOf, retryHeaders } from '../call/relay-error-wording.ts'
import { requestIdHeaders } from '../../http/request-id.ts'

function bodyOf(
  dialect: ErrorDialect | ErrorWriter,
  error: ClientError,
): { status: number; body: unknown } {
  if (typeof dialect === 'function') return dialect(error)
  const codec = codecs[dialect]
  const status = codec.errorStatus?.(error.status) ?? error.status
  return { status, body: codec.writeError(error) }
}

/** Sends an error on a hijacked reply, in the caller's dialect. If the answer has begun, the connection can only be broken off. */
export function sendClientError(
  reply: FastifyReply,
  dialect: ErrorDialect | ErrorWriter,
  error: ClientError,
  retryAfterSeconds?: number,
): void {
  const { raw } = reply
  if (raw.headersSent && !raw.writableEnded) raw.destroy()
  if (raw.headersSent || raw.destroyed) return
  const { status, body } = bodyOf(dialect, error)
  const payload = JSON.stringify(body)
  raw.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(payload),
    ...requestIdHeaders(error.requestId),
    ...retryHeaders(error, retryAfterSeconds),
  })
  raw.end(payload)
}

export interface RelayErrorDeps {
  log: Logger
  events: EventBus
  traces?: CallTraces | undefined
}

/** Handles the errors that relay routes throw. */
export function createRelayError({ log, events, traces }: RelayErrorDeps) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { relay } = request.routeOptions.config
    const dialect =
      relay?.writeError ?? relay?.dialectOf?.(request) ?? relay?.dialect ?? 'openai-chat'
    const language = request.language ?? 'en'
    if (reply.raw.headersSent) {
      reply.raw.destroy()
      return reply
    }
    if (!(error instanceof AppError))
      log.error({ err: error, requestId: request.id }, 'unhandled error on a relay route')
    const shown = gatewayErrorOf(error, request.id, language)
    const { status, body } = bodyOf(dialect, shown)
    events.emit('relay.refused', { status })
    traces?.refused(request, status, error instanceof AppError ? error.code : 'internal')
    reply.code(status).headers({ ...requestIdHeaders(request.id), ...retryHeaders(shown) })
    if (error instanceof AppError) reply.headers(error.headers)
    return reply.send(body)
  }
}
