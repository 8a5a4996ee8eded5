import { isObject, type RawFailure } from '#core'
import { classTable } from '#adapter-kit'

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
export const classify = classTable(
  {
    'invalid-credentials': [1004, 2049],
    'insufficient-funds': [1008, 1028, 1030],
    denied: [2061],
    // 1041: too many connections; 2045: too sudden a growth; 2056: the window of a subscription plan is used up.
    throttled: [1002, 1039, 1041, 2045, 2056],
    content: [1026, 1027],
    // 1042: too many characters that cannot be seen.
    'bad-request': [1042, 1043, 1044, 2013],
    upstream: [1000, 1001, 1024, 1033],
  },
  // (unconfirmed)
  { upstream: [1013] },
)
