import type { FailureClass, RawFailure } from '#core'
import { classTable } from '#adapter-kit'

/** Source: help.aliyun.com/zh/model-studio/error-code and its entry /en/model-studio/error-code-start. Of the compatible mode's spellings they have
 *  `invalid_api_key`, `access_denied`, `insufficient_quota` and `data_inspection_failed`; the others: (unconfirmed) */
const byWord = classTable({
  'invalid-credentials': ['InvalidApiKey', 'invalid_api_key'],
  'insufficient-funds': ['Arrearage', 'AllocationQuota.FreeTierOnly'],
  denied: ['AccessDenied*', 'access_denied', 'Model.AccessDenied'],
  'not-found': ['ModelNotFound', 'model_not_found'],
  // insufficient_quota is DashScope's word for too many tokens a minute, not for an empty account.
  throttled: ['Throttling*', 'limit_requests', 'limit_burst_rate', 'insufficient_quota'],
  content: ['DataInspectionFailed', 'data_inspection_failed'],
  'bad-request': ['InvalidParameter*', 'invalid_parameter_error', 'BadRequest*'],
  upstream: ['InternalError*', 'ModelUnavailable', 'ModelServingError'],
})

export function classify(failure: RawFailure): FailureClass | undefined {
  return /free allocated quota exceeded/i.test(failure.message)
    ? 'insufficient-funds'
    : byWord(failure)
}
