// The one place where errors become answers.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, errorType } from '../contract/errors.ts'

/** Errors that /api answers with their own status. Every other handled error gets 200 with `success: false`. */
const ownStatus: ReadonlyMap<string, number> = new Map([
  ['auth.required', 401],
  ['auth.token_unknown', 401],
  ['auth.user_header_missing', 401],
  ['auth.user_header_malformed', 401],
  ['auth.user_header_mismatch', 401],
  ['rate.exceeded', 429],
  ['token.address_refused', 403],
  ['demo.read_only', 405],
  ['plugins.demo', 405],
  ['request.cross_site', 403],
  ['request.two_hosts', 400],
  ['request.too_slow', 408],
  ['request.too_large', 413],
  ['request.content_type', 415],
  ['request.not_json', 415],
  ['server.bodies_full', 503],
  ['request.no_websocket', 404],
  ['server.header_broken', 500],
  ['server.not_ready', 503],
  ['server.database_away', 503],
  ['server.database_slow', 503],
])

const internalText = {
  en: 'Something went wrong on the server. Try again; if it happens again, tell the administrator the request id {id}.',
  zh: '服务器内部错误，请重试；如仍出现，请将请求 ID {id} 告知管理员。',
}

const contentTypeBroken = errorType(
  'request.content_type',
  415,
  {
    en: 'The header Content-Type cannot be read; send a type such as application/json.',
    zh: '无法识别请求头 Content-Type，应为 application/json 之类的类型。',
  },
  { relay: 'invalid_request' },
)

export interface ErrorEdgeDeps {
  /** Answers in the caller's dialect; present on relay routes. */
  relayError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply
  errorStatus: ReadonlyMap<string, number>
}

export function createErrorEdge({ relayError, errorStatus }: ErrorEdgeDeps) {
  return (thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) => {
    const error: FastifyError | Error = isBrokenContentType(thrown)
      ? contentTypeBroken(undefined, { cause: thrown })
      : thrown
    if (request.routeOptions.config.relay) return relayError(error, request, reply)
    if (error instanceof AppError) return refuse(error, request, reply, errorStatus)
    const status = frameworkStatus(error)
    if (status !== undefined && status >= 400 && status < 500) {
      return reply.code(status === 404 ? 404 : 200).send({ success: false, message: error.message })
    }
    request.log.error({ err: error, requestId: request.id, ...placeOf(request) }, 'unhandled error')
    return reply.code(500).send({
      success: false,
      message: internalText[request.language ?? 'en'].replace('{id}', request.id),
    })
  }
}

/** Whose route failed: the error itself may not say it. */
function placeOf({ routeOptions: { url, config } }: FastifyRequest): object {
  const { owner = 'core' } = config
  return owner === 'core' ? {} : { plugin: owner, route: url }
}

/** A plugin may throw something that is not an Error. */
function frameworkStatus(error: unknown): number | undefined {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' ? status : undefined
}

function isBrokenContentType(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
  )
}

function refuse(
  error: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
  errorStatus: ReadonlyMap<string, number>,
) {
  const status = statusOf(error, request) ?? errorStatus.get(error.code) ?? 200
  for (const [name, value] of Object.entries(error.headers)) reply.header(name, value)
  const language = request.language ?? 'en'
  const message = error.messageIn(language)
  if (isForReader(request)) {
    // The browser comes back by itself.
    const waitSeconds = error.headers['retry-after']
    if (waitSeconds !== undefined) reply.header('refresh', waitSeconds)
    return reply.code(status).type('text/plain; charset=utf-8').send(message)
  }
  // Forms show the sentence at the field that is to blame.
  const values = {
    ...(error.field === undefined ? {} : { field: error.field }),
    ...error.valuesIn(language),
  }
  return reply.code(status).send({
    success: false,
    message,
    // A page may change its language while it shows the refusal.
    messages: { en: error.messageIn('en'), zh: error.messageIn('zh') },
    code: error.code,
    ...(Object.keys(values).length === 0 ? {} : { values }),
  })
}

/** Whether a person waits for this answer in a browser: then it is a sentence, not JSON. */
function isForReader({ routeOptions, headers }: FastifyRequest): boolean {
  return routeOptions.config.rate === 'global-web' && (headers.accept ?? '').includes('text/html')
}

function statusOf(error: AppError, request: FastifyRequest): number | undefined {
  // Scripts for this family of gateways expect 400 on this route, and only there.
  if (
    error.code === 'request.malformed_json' &&
    request.method === 'PUT' &&
    request.routeOptions.url?.startsWith('/api/option')
  )
    return 400
  return ownStatus.get(error.code)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on relay routes: errors are answered in this dialect. */
    relay?: {
      dialect: import('../contract/dialect.ts').ErrorDialect
      /** For paths that clients of several dialects use. */
      dialectOf?(request: FastifyRequest): import('../contract/dialect.ts').ErrorDialect
      /** Takes precedence over the dialect. */
      writeError?: import('../contract/dialect.ts').ErrorWriter
    }
  }
}
