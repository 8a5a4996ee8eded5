import { classTable, isObject, type RawFailure } from '#core'

/** Cloudflare's envelope, `{success: false, errors: [{code, message}]}`. Source: developers.cloudflare.com/workers-ai, page "Errors". */
export function readError(status: number, body: unknown): RawFailure | undefined {
  if (!isObject(body) || !Array.isArray(body['errors']) || body['errors'].length === 0) {
    return undefined
  }
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
  10000: 'dead-key',
  9109: 'dead-key',
  3023: 'dead-key',
  5018: 'denied',
  3041: 'denied',
  5016: 'denied',
  5007: 'not-found',
  3042: 'not-found',
  // The free neurons of the day; they come back at midnight UTC.
  3036: 'throttled',
  3040: 'throttled',
  3007: 'timeout',
  3008: 'timeout',
  3006: 'bad-request',
})
