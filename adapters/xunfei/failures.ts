import type { FailureClass, RawFailure } from '#core'
import { classTable } from '#adapter-kit'

/** Source: xfyun.cn/doc/spark, "Error codes"; the split of 10016 and 11200 is ours. */
const byCode = classTable({
  'invalid-credentials': [10015],
  'insufficient-funds': [10016, 11200],
  throttled: [10006, 10007, 10008, 10110, 11201, 11202, 11203],
  // 10907: too many tokens.
  'bad-request': [10003, 10004, 10005, 10163, 10907],
  content: [10013, 10014, 10019],
  upstream: [10000, 10001, 10002, 10009, 10010, 10011, 10012, 10017, 10222],
})

/** A refused handshake has a status and no code: 401 means the key, 403 that mentions the date our clock. */
export function classify(failure: RawFailure): FailureClass | undefined {
  if (failure.status === 403 && /date/i.test(failure.message)) return 'upstream'
  return byCode(failure)
}
