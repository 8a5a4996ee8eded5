import { classTable, type FailureClass, type RawFailure } from '#core'

const byWord = classTable(
  { 'dead-key': ['invalid_iam_token', 'invalid_api_key'], 'bad-request': ['invalid_model'] },
  // (unconfirmed)
  {
    denied: ['access_denied', 'no_parameter_permission'],
    throttled: ['rpm_rate_limit_exceeded', 'tpm_rate_limit_exceeded'],
    upstream: ['internal_error', 'dispatch_internal_error'],
  },
)

const arrears = /overdue|arrear|欠费/i // (unconfirmed)

export function classify(failure: RawFailure): FailureClass | undefined {
  if (arrears.test(`${failure.code} ${failure.message}`)) return 'no-money'
  return byWord(failure)
}
