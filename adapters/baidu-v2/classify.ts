import { classTable, type FailureClass, type RawFailure } from '#core'

const byWord = classTable({
  invalid_iam_token: 'dead-key',
  invalid_api_key: 'dead-key',
  invalid_model: 'bad-request',
  // The words from here on: (unconfirmed)
  access_denied: 'denied',
  no_parameter_permission: 'denied',
  rpm_rate_limit_exceeded: 'throttled',
  tpm_rate_limit_exceeded: 'throttled',
  internal_error: 'upstream',
  dispatch_internal_error: 'upstream',
})

const arrears = /overdue|arrear|欠费/i // (unconfirmed)

export function classify(failure: RawFailure): FailureClass | undefined {
  if (arrears.test(`${failure.code} ${failure.message}`)) return 'no-money'
  return byWord(failure)
}
