import { classTable, type FailureClass, type RawFailure } from '#core'

/** Some spellings of the compatible mode: (unconfirmed) */
const byWord = classTable({
  InvalidApiKey: 'dead-key',
  invalid_api_key: 'dead-key',
  Arrearage: 'no-money',
  'AllocationQuota.FreeTierOnly': 'no-money',
  'AccessDenied*': 'denied',
  access_denied: 'denied',
  'Model.AccessDenied': 'denied',
  ModelNotFound: 'not-found',
  model_not_found: 'not-found',
  'Throttling*': 'throttled',
  limit_requests: 'throttled',
  limit_burst_rate: 'throttled',
  // DashScope's word for too many tokens a minute, not for an empty account.
  insufficient_quota: 'throttled',
  DataInspectionFailed: 'content',
  data_inspection_failed: 'content',
  'InvalidParameter*': 'bad-request',
  invalid_parameter_error: 'bad-request',
  'BadRequest*': 'bad-request',
  'InternalError*': 'upstream',
  ModelUnavailable: 'upstream',
  ModelServingError: 'upstream',
})

export function classify(failure: RawFailure): FailureClass | undefined {
  return /free allocated quota exceeded/i.test(failure.message) ? 'no-money' : byWord(failure)
}
