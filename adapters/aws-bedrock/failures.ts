import { isObject, type FailureClass, type RawFailure } from '#core'
import { readFailure } from '#adapter-kit'

/** The type of an error stands in a header, sometimes with an address behind it. */
export function readError(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): RawFailure | undefined {
  if (status === 200) return undefined
  const type = typeOf(body, headers)
  const failure = readFailure(status, withMessage(body))
  return type === undefined ? failure : { ...failure, type, code: failure.code ?? type }
}

/** The header names it; proxies that drop headers leave `__type`, with a namespace before the word. */
function typeOf(body: unknown, headers: Readonly<Record<string, string>>): string | undefined {
  const named = headers['x-amzn-errortype'] ?? (isObject(body) ? body['__type'] : undefined)
  if (typeof named !== 'string') return undefined
  const [word = ''] = named.slice(named.indexOf('#') + 1).split(':')
  return word === '' ? undefined : word
}

/** Refusals of the signature write the word with a capital letter. */
function withMessage(body: unknown): unknown {
  if (!isObject(body) || typeof body['Message'] !== 'string') return body
  return { ...body, message: body['message'] ?? body['Message'] }
}

/** Source: docs.aws.amazon.com/bedrock, "Troubleshooting Amazon Bedrock API error codes". Names of exception frames begin with a small letter. */
const CLASSES: ReadonlyMap<string, FailureClass> = new Map(
  Object.entries<FailureClass>({
    unrecognizedclientexception: 'invalid-credentials',
    invalidsignatureexception: 'invalid-credentials',
    incompletesignature: 'invalid-credentials',
    incompletesignatureexception: 'invalid-credentials',
    expiredtokenexception: 'invalid-credentials',
    validationexception: 'bad-request',
    resourcenotfoundexception: 'not-found',
    unknownoperationexception: 'not-found',
    modeltimeoutexception: 'timeout',
    modelerrorexception: 'upstream',
    modelstreamerrorexception: 'upstream',
    throttlingexception: 'throttled',
    modelnotreadyexception: 'throttled',
    servicequotaexceeded: 'throttled',
    servicequotaexceededexception: 'throttled',
    internalserverexception: 'upstream',
    serviceunavailableexception: 'upstream',
  }),
)

export function classify({ type, message }: RawFailure): FailureClass | undefined {
  const name = type?.toLowerCase() ?? ''
  if (name === 'accessdeniedexception') {
    // Without any right to invoke models, the key is useless. A model that was not granted is no fault of the key.
    return /not authorized to perform|api key/i.test(message) ? 'invalid-credentials' : 'denied'
  }
  return CLASSES.get(name)
}
