import { classTable, isObject, type RawFailure } from '#core'

/** MiniMax tells its faults in `base_resp`, mostly inside a 200. */
export function readError(status: number, body: unknown): RawFailure | undefined {
  if (!isObject(body) || !isObject(body.base_resp)) return undefined
  const { status_code: code, status_msg: message } = body.base_resp
  if (typeof code !== 'number' || code === 0) return undefined
  return {
    status,
    message: typeof message === 'string' && message !== '' ? message : `MiniMax error ${code}`,
    code,
    isKnownShape: true,
  }
}

/** Source: platform.minimax.io, "Error codes", and MiniMax-AI/cli src/errors/api.ts. */
export const classify = classTable({
  1000: 'upstream',
  1001: 'upstream',
  1024: 'upstream',
  1002: 'throttled',
  1039: 'throttled',
  1004: 'dead-key',
  1008: 'no-money',
  1028: 'no-money',
  1030: 'no-money',
  2061: 'denied',
  // The codes from here on: (unconfirmed)
  1013: 'upstream',
  1033: 'upstream',
  1041: 'throttled',
  2045: 'throttled',
  // The window of a subscription plan is used up.
  2056: 'throttled',
  2049: 'dead-key',
  1026: 'content',
  1027: 'content',
  1042: 'content',
  2013: 'bad-request',
  1043: 'bad-request',
  1044: 'bad-request',
})
