import type { IncomingHttpHeaders } from 'node:http'
import { codecs } from '../dialects/index.ts'
import { anthropicTypeOf, geminiStatusOf } from '../upstream-failures/client-error.ts'
import { dialectOfHeaders, dialectOfPath } from './guess-dialect.ts'

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
