import { classTable } from '#adapter-kit'

/** Source: volcengine.com/docs/82379/1299023. */
export const classify = classTable({
  'invalid-credentials': ['AuthenticationError', 'InvalidAuthHeader'],
  // QuotaExceeded: the free trial is used up.
  'insufficient-funds': ['AccountOverdueError', 'QuotaExceeded'],
  denied: ['AccessDenied', 'OperationDenied*'],
  'not-found': [
    'InvalidEndpointOrModel.NotFound',
    'InvalidEndpointOrModel.ModelIDAccessDisabled',
    'InvalidEndpoint.NotFound',
    'ModelNotOpen',
  ],
  'bad-request': ['InvalidEndpoint.ClosedEndpoint', 'MissingParameter*', 'InvalidParameter*'],
  content: [
    'SensitiveContentDetected*',
    'InputTextSensitiveContentDetected*',
    'InputImageSensitiveContentDetected*',
    'OutputText*',
    'OutputImageSensitiveContentDetected*',
  ],
  throttled: [
    'RateLimitExceeded*',
    'ModelAccountRpmRateLimitExceeded',
    'ModelAccountTpmRateLimitExceeded',
    'ServerOverloaded',
    'SetLimitExceeded',
  ],
  upstream: ['InternalServiceError'],
})
