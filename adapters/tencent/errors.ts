import { classTable, isObject, type RawFailure } from '#core'

/** `{Response: {Error: {Code, Message}}}`, mostly inside a 200. */
export function readError(status: number, body: unknown): RawFailure | undefined {
  const response = isObject(body) ? body.Response : undefined
  const error = isObject(response) ? response.Error : undefined
  if (!isObject(error)) return undefined
  return {
    status,
    message: typeof error.Message === 'string' ? error.Message : 'The call failed.',
    code: typeof error.Code === 'string' ? error.Code : null,
    isKnownShape: true,
  }
}

/** Source: tencentcloud-sdk-go, hunyuan/v20230901/errors.go, and the platform's common codes. */
export const classify = classTable({
  'dead-key': ['AuthFailure*', 'FailedOperation.ServiceStop', 'ResourceUnavailable.StopUsing'],
  'no-money': [
    'FailedOperation.ResourcePackExhausted',
    'FailedOperation.FreeResourcePackExhausted',
    'FailedOperation.ServiceStopArrears',
    'ResourceInsufficient.ChargeResourceExhaust',
    'ResourceUnavailable.InArrears',
    'ResourceUnavailable.LowBalance',
  ],
  denied: [
    'AuthFailure.UnauthorizedOperation',
    'FailedOperation.ServiceNotActivated',
    'FailedOperation.UserUnAuthError',
    'FailedOperation.PartnerAccountUnSupport',
    'ResourceUnavailable.NotExist',
    'UnauthorizedOperation*',
  ],
  throttled: [
    'RequestLimitExceeded*',
    'LimitExceeded*',
    'FailedOperation.EngineServerLimitExceeded',
  ],
  content: ['OperationDenied.TextIllegalDetected', 'OperationDenied.ImageIllegalDetected'],
  'not-found': ['InvalidParameterValue.Model'],
  'bad-request': ['InvalidParameter*', 'MissingParameter*', 'UnknownParameter*'],
  // An expired signature is our clock, not the key.
  upstream: ['InternalError*', 'FailedOperation*', 'AuthFailure.SignatureExpire'],
})
