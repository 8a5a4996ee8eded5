import { isObject, type JsonObject, type RawFailure } from '#core'
import { classTable } from '#adapter-kit'

/** `{Response: {Error: {Code, Message}}}` of the platform, or `ErrorMsg` of the engine; mostly inside a 200. */
export function readError(status: number, body: unknown): RawFailure | undefined {
  const response = isObject(body) ? body.Response : undefined
  if (!isObject(response)) return undefined
  const { Error: error } = response
  if (!isObject(error)) return engineError(status, response)
  return toFailure(status, error.Message, error.Code)
}

/** Finds the error of an answer, or of an event of a stream. */
export function engineError(
  status: number,
  { ErrorMsg: error }: JsonObject,
): RawFailure | undefined {
  return isObject(error) ? toFailure(status, error.Msg, error.Code) : undefined
}

function toFailure(status: number, message: unknown, code: unknown): RawFailure {
  return {
    status,
    message: typeof message === 'string' && message !== '' ? message : 'The call failed.',
    code: typeof code === 'string' || typeof code === 'number' ? code : null,
    isKnownShape: true,
  }
}

/** Source: tencentcloud-sdk-go, hunyuan/v20230901/errors.go, and the platform's common codes. */
export const classify = classTable({
  'invalid-credentials': [
    'AuthFailure*',
    'FailedOperation.ServiceStop',
    'ResourceUnavailable.StopUsing',
  ],
  'insufficient-funds': [
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
  // 4000 and 4001 are the engine's own.
  upstream: ['InternalError*', 'FailedOperation*', 'AuthFailure.SignatureExpire', 4000, 4001],
})
