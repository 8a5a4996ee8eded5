// Which dialect a client speaks, where no route says it.
import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorDialect } from '../contract/dialect.ts'

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
