import type { FailureClass, RawFailure } from '#core'
import { classTable } from '#adapter-kit'

/** Source: cloud.baidu.com/doc/qianfan-api/s/Om9b4yj3w. Codes decide; a type stands for the codes that are not named. */
const byWord = classTable({
  'invalid-credentials': ['invalid_iam_token', 'invalid_api_key'],
  'insufficient-funds': ['account_overdue'],
  denied: ['access_denied', 'no_parameter_permission'],
  'not-found': ['model_offline'],
  throttled: ['rate_limit_exceeded'],
  content: ['unsafe_request'],
  'bad-request': ['invalid_model'],
  upstream: ['internal_error', 'dispatch_internal_error', 'Internal_error'],
})

const arrears = /overdue|arrear|欠费/i

export function classify(failure: RawFailure): FailureClass | undefined {
  // A 400 says that no model was named, a 401 that the key may not use it or nobody may.
  if (failure.status === 401 && failure.code === 'invalid_model') return 'not-found'
  if (arrears.test(`${failure.code} ${failure.message}`)) return 'insufficient-funds'
  return byWord(failure)
}
