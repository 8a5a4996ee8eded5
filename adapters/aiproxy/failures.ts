import { isObject, type FailureClass, type RawFailure } from '#core'

/** `{success: false, errCode, message}` inside a 200. */
export function readError(status: number, body: unknown): RawFailure | undefined {
  if (!isObject(body) || typeof body.errCode !== 'number' || body.errCode === 0) return undefined
  const message = typeof body.message === 'string' ? body.message : 'The library did not answer.'
  return { status, message, code: body.errCode, isKnownShape: true }
}

/** The codes are not documented, so the message decides. */
export function classify({ status, message }: RawFailure): FailureClass | undefined {
  if (status !== 200) return undefined
  if (/balance|points|余额|积分/i.test(message)) return 'insufficient-funds'
  return /(?<![a-z])(?:api)?key(?![a-z])|密钥|unauthori[sz]ed/i.test(message)
    ? 'invalid-credentials'
    : 'upstream'
}
