import { classTable } from '#core'

/** Source: volcengine.com/docs/82379/1299023. */
export const classify = classTable({
  AuthenticationError: 'dead-key',
  InvalidAuthHeader: 'dead-key',
  AccountOverdueError: 'no-money',
  // The free trial is used up.
  QuotaExceeded: 'no-money',
  AccessDenied: 'denied',
  'OperationDenied*': 'denied',
  'InvalidEndpointOrModel.NotFound': 'not-found',
  'InvalidEndpointOrModel.ModelIDAccessDisabled': 'not-found',
  'InvalidEndpoint.NotFound': 'not-found',
  'InvalidEndpoint.ClosedEndpoint': 'bad-request',
  ModelNotOpen: 'not-found',
  'MissingParameter*': 'bad-request',
  'InvalidParameter*': 'bad-request',
  'SensitiveContentDetected*': 'content',
  'InputTextSensitiveContentDetected*': 'content',
  'OutputText*': 'content',
  'RateLimitExceeded*': 'throttled',
  ModelAccountRpmRateLimitExceeded: 'throttled',
  ModelAccountTpmRateLimitExceeded: 'throttled',
  ServerOverloaded: 'throttled',
  SetLimitExceeded: 'throttled',
  InternalServiceError: 'upstream',
})
