import { classTable, type FailureClass, type RawFailure } from '#core'

/** Source: xfyun.cn/doc/spark, "Error codes"; the split of 10016 and 11200 is ours. */
const byCode = classTable({
  10003: 'bad-request',
  10004: 'bad-request',
  10005: 'bad-request',
  10163: 'bad-request',
  // Too many tokens.
  10907: 'bad-request',
  10013: 'content',
  10014: 'content',
  10019: 'content',
  10006: 'throttled',
  10007: 'throttled',
  10008: 'throttled',
  10110: 'throttled',
  11201: 'throttled',
  11202: 'throttled',
  11203: 'throttled',
  10015: 'dead-key',
  10016: 'no-money',
  11200: 'no-money',
  10000: 'upstream',
  10001: 'upstream',
  10002: 'upstream',
  10009: 'upstream',
  10010: 'upstream',
  10011: 'upstream',
  10012: 'upstream',
  10017: 'upstream',
  10222: 'upstream',
})

/** A refused handshake has a status and no code: 401 is the key, 403 with a word on the date our clock. */
export function classify(failure: RawFailure): FailureClass | undefined {
  if (failure.status === 403 && /date/i.test(failure.message)) return 'upstream'
  return byCode(failure)
}
