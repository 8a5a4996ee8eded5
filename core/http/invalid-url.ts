// The answer for paths that no route serves, in the form that clients of such a path expect.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ErrorDialect } from '../contract/dialect.ts'
import { anthropicTypeOf, geminiStatusOf } from '../upstream-failures/client-error.ts'
import { codecs } from '../dialects/index.ts'

const DIALECTS: readonly [path: RegExp, dialect: ErrorDialect][] = [
  [/^\/v1\/messages(?:\/|$)/, 'anthropic-messages'],
  // Google serves OpenAI clients below /v1beta/openai.
  [/^\/v1beta(?!\/openai(?:\/|$))(?:\/|$)/, 'gemini'],
]

/** Undefined if the path alone does not tell, as for OpenAI's paths and for pages. */
export function dialectOfPath(path: string): ErrorDialect | undefined {
  return DIALECTS.find(([pattern]) => pattern.test(path))?.[1]
}

/** Recognises an SDK by headers that only it sends, on paths that several providers share. */
export function dialectOfHeaders(headers: IncomingHttpHeaders): ErrorDialect | undefined {
  if (headers['anthropic-version'] !== undefined) return 'anthropic-messages'
  return headers['x-goog-api-key'] === undefined ? undefined : 'gemini'
}

export function invalidUrl(request: FastifyRequest, status = 404): object {
  const path = request.url.split('?')[0] ?? '/'
  const meant = meantPath(path)
  const hint =
    meant === undefined ? '' : `. Is ${meant} meant? Then the client's base URL is wrong.`
  const message = `Invalid URL (${request.method} ${path})${hint}`
  const refusal = { status, message, requestId: request.id }
  return refusalBody(
    { path, headers: request.headers },
    status === 404 ? { ...refusal, code: 'route.missing' } : refusal,
  )
}

const UNVERSIONED =
  /^\/(?:chat\/completions|completions|decisions|embeddings|messages|models|moderations|rerank|responses|images|audio)(?:\/|$)/

/** SDKs want an address with the version or without, and people give each of them the other's. */
export function meantPath(path: string): string | undefined {
  const single = path.replaceAll(/\/{2,}/g, '/')
  if (single !== path) return meantPath(single) ?? (single.startsWith('/v1') ? single : undefined)
  const [, twice] = /^\/v1(?:beta)?(\/v1(?:beta)?\/.*)$/.exec(path) ?? []
  if (twice !== undefined) return twice
  if (!UNVERSIONED.test(path)) return undefined
  return `${path.startsWith('/models/') && path.includes(':') ? '/v1beta' : '/v1'}${path}`
}

interface Refusal {
  status: number
  message: string
  requestId: string
  /** Of the envelope below /api. */
  code?: string
}

/** The body of the refusal, in the form that path and headers suggest. */
export function refusalBody(
  { path, headers }: { path: string; headers: IncomingHttpHeaders },
  { status, message, requestId, code }: Refusal,
): object {
  const dialect = dialectOfPath(path) ?? dialectOfHeaders(headers)
  if (dialect === undefined) {
    const error = { message, type: 'invalid_request_error', param: '', code: '' }
    return path.startsWith('/api/') || path === '/api'
      ? { success: false, message, ...(code === undefined ? {} : { code }), error }
      : { error }
  }
  return codecs[dialect].writeError({
    status,
    code: null,
    message,
    openaiType: 'invalid_request_error',
    anthropicType: anthropicTypeOf(status),
    geminiStatus: geminiStatusOf(status),
    param: null,
    requestId,
  })
}
