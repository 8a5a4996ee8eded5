import { isObject, type RawFailure } from '#core'
import { classTable, unknownFailure } from '#adapter-kit'

/** Cloudflare's envelope, `{success: false, errors: [{code, message}]}`. Source: developers.cloudflare.com/workers-ai, page "Errors". */
export function readError(status: number, body: unknown): RawFailure | undefined {
  if (!isObject(body) || !Array.isArray(body['errors'])) return undefined
  if (body['errors'].length === 0)
    return body['success'] === false ? unknownFailure(status) : undefined
  const errors = body['errors'].filter(isObject)
  const code = errors[0]?.['code']
  return {
    status,
    message: errors.map(({ message }) => message).join('; '),
    code: typeof code === 'number' || typeof code === 'string' ? code : null,
    isKnownShape: true,
  }
}

export const classify = classTable({
  'invalid-credentials': [10000, 9109, 3023],
  denied: [5018, 3041, 5016],
  'not-found': [5007, 3042],
  // 3036: the free neurons of the day; they come back at midnight UTC.
  throttled: [3036, 3040],
  timeout: [3007, 3008],
  'bad-request': [3006],
})
