import type { UpstreamRequest, UpstreamResponse } from '../contract/adapter.ts'
import { UpstreamError } from '../contract/errors.ts'
import { isObject } from '../contract/json.ts'
import { parseLoosely, send, type Attempt } from './attempt.ts'

const FIELD = 'stream_options'

/** Sends a chat call. We ask for usage by a field that older servers refuse; one that says so by name is asked once more without it, and
 *  then core counts.
 *  @throws UpstreamError, net errors */
export async function sendChat(
  attempt: Attempt,
  request: UpstreamRequest,
): Promise<UpstreamResponse> {
  try {
    return await send(attempt, request)
  } catch (error) {
    const bare = refusesField(error) ? withoutField(request) : undefined
    if (bare === undefined) throw error
    return send(attempt, bare)
  }
}

function refusesField(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return false
  const { status, message, param } = error.failure
  return (status === 400 || status === 422) && `${param ?? ''} ${message}`.includes(FIELD)
}

function withoutField(request: UpstreamRequest): UpstreamRequest | undefined {
  const { body } = request
  if (body === undefined || Array.isArray(body)) return undefined
  const parsed = parseLoosely(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'))
  if (!isObject(parsed) || parsed[FIELD] === undefined) return undefined
  const { [FIELD]: _refused, ...rest } = parsed
  return { ...request, body: JSON.stringify(rest) }
}
