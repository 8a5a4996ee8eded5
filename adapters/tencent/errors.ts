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
  'AuthFailure*': 'dead-key',
  'AuthFailure.UnauthorizedOperation': 'denied',
  // Our clock, not the key.
  'AuthFailure.SignatureExpire': 'upstream',
  'FailedOperation.ServiceStop': 'dead-key',
  'ResourceUnavailable.StopUsing': 'dead-key',
  'FailedOperation.ResourcePackExhausted': 'no-money',
  'FailedOperation.FreeResourcePackExhausted': 'no-money',
  'FailedOperation.ServiceStopArrears': 'no-money',
  'ResourceInsufficient.ChargeResourceExhaust': 'no-money',
  'ResourceUnavailable.InArrears': 'no-money',
  'ResourceUnavailable.LowBalance': 'no-money',
  'FailedOperation.ServiceNotActivated': 'denied',
  'FailedOperation.UserUnAuthError': 'denied',
  'FailedOperation.PartnerAccountUnSupport': 'denied',
  'ResourceUnavailable.NotExist': 'denied',
  'UnauthorizedOperation*': 'denied',
  'RequestLimitExceeded*': 'throttled',
  'LimitExceeded*': 'throttled',
  'FailedOperation.EngineServerLimitExceeded': 'throttled',
  'OperationDenied.TextIllegalDetected': 'content',
  'OperationDenied.ImageIllegalDetected': 'content',
  'InvalidParameterValue.Model': 'not-found',
  'InvalidParameter*': 'bad-request',
  'MissingParameter*': 'bad-request',
  'UnknownParameter*': 'bad-request',
  'InternalError*': 'upstream',
  'FailedOperation*': 'upstream',
})
