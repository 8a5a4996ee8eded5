import { describe, expect, it } from 'vitest'
import type { RawFailure } from '../contract/errors.ts'
import { classifyFailure } from './classify-failure.ts'
import { clientErrorOf, failureStatus } from './client-error.ts'
import { findFailureInSuccess, readFailure } from './read-failure-body.ts'

describe('finding the error in an answer', () => {
  it.each([
    ['OpenAI', { error: { message: 'no', type: 'requests', code: 'c', param: 'p' } }, 'no', 'c'],
    ['a numeric code', { error: { message: 'no', code: 402 } }, 'no', 402],
    ['error as a text, explained beside it', { code: 'why', error: 'no' }, 'no', 'why'],
    [
      'a token endpoint',
      { error: 'invalid_client', error_description: 'no' },
      'no',
      'invalid_client',
    ],
    ['vLLM without a wrapper', { object: 'error', message: 'no', code: 400 }, 'no', 400],
    ['FastAPI with a text', { detail: 'no' }, 'no', null],
    ['FastAPI with a list', { detail: [{ loc: ['body'], msg: 'no' }] }, 'no', null],
    ['a list of errors', { errors: [{ code: 7, message: 'no' }], success: false }, 'no', 7],
    ['msg', { code: 4100, msg: 'no' }, 'no', 4100],
    ['error_msg', { error_code: 18, error_msg: 'no' }, 'no', 18],
    ['a header', { header: { code: 10013, message: 'no' } }, 'no', 10013],
    [
      'an error inside a response',
      { response: { error: { message: 'no', code: 'x' } } },
      'no',
      'x',
    ],
    ['Google in a list', [{ error: { code: 429, message: 'no' } }], 'no', 429],
    ['a text of JSON', 'no', 'no', null],
  ])('reads %s', (_title, body, message, code) => {
    expect(readFailure(400, body)).toMatchObject({ message, code, isKnownShape: true })
  })

  it.each([
    ['HTML', '<html><body>502 Bad Gateway</body></html>'],
    ['a stack', 'Error: x\n    at main (/srv/app/index.js:1:1)'],
    ['nothing', ''],
    ['an unknown object', { status: 'bad' }],
  ])('keeps only the status of %s', (_title, body) => {
    expect(readFailure(502, body)).toEqual({
      status: 502,
      message: 'The upstream answered with status 502.',
      code: null,
      isKnownShape: false,
    })
  })

  it.each([
    [{ error: { message: 'no' } }, true],
    [{ error: null, choices: [] }, false],
    [{ code: 0, message: 'ok', data: {} }, false],
    [{ code: 'success', message: 'ok' }, false],
    [{ code: 20012, message: 'no such model', data: null }, true],
    [{ choices: [], message: 'x', code: 5 }, false],
    [{ error_code: 18, error_msg: 'limit' }, true],
    [{ id: 'x', object: 'list', data: [] }, false],
  ])('says of %j inside a 200 whether it is an error: %s', (body, isError) => {
    expect(findFailureInSuccess(body) !== undefined).toBe(isError)
  })
})

describe('the class of a failure', () => {
  const failure = (status: number, words: Partial<RawFailure> = {}): RawFailure => ({
    status,
    message: 'm',
    code: null,
    isKnownShape: true,
    ...words,
  })

  it.each([
    [failure(401), 'invalid-credentials'],
    [failure(400, { code: 'invalid_api_key' }), 'invalid-credentials'],
    [failure(403), 'denied'],
    [failure(403, { type: 'permission_error' }), 'invalid-credentials'],
    [failure(402), 'insufficient-funds'],
    [failure(429, { type: 'insufficient_quota' }), 'insufficient-funds'],
    [failure(429, { type: 'x', code: 'credit_balance_exhausted' }), 'insufficient-funds'],
    [failure(402, { type: 'RESOURCE_EXHAUSTED' }), 'insufficient-funds'],
    [failure(200, { type: 'RESOURCE_EXHAUSTED', bodyStatus: 402 }), 'insufficient-funds'],
    [failure(400, { type: 'x', code: 'billing_hard_limit_reached' }), 'insufficient-funds'],
    [failure(429, { type: 'RESOURCE_EXHAUSTED' }), 'throttled'],
    [failure(429, { type: 'requests', code: 'rate_limit_exceeded' }), 'throttled'],
    [failure(529, { type: 'overloaded_error' }), 'throttled'],
    [failure(404, { code: 'model_not_found' }), 'not-found'],
    [failure(400, { code: 'content_filter' }), 'content'],
    [failure(400, { type: 'invalid_request_error' }), 'bad-request'],
    [failure(422), 'bad-request'],
    [failure(408), 'timeout'],
    [failure(504), 'timeout'],
    [failure(503), 'upstream'],
    [failure(307), 'upstream'],
    [failure(418), 'upstream'],
    [failure(500, { bodyStatus: 429 }), 'throttled'],
    [failure(400, { code: 'its_own', type: 'authentication_error' }), 'invalid-credentials'],
    [failure(503, { code: 'constructor' }), 'upstream'],
    [failure(200), 'upstream'],
    [failure(200, { bodyStatus: 529 }), 'throttled'],
    [failure(200, { type: 'invalid_request_error' }), 'bad-request'],
  ] as const)('of %j is %s', (given, expected) => {
    expect(classifyFailure(given)).toBe(expected)
  })

  it('gives an error inside a 200 the status of its class, or the one that the body names', () => {
    expect(failureStatus(failure(200), 'insufficient-funds')).toBe(402)
    expect(failureStatus(failure(200, { bodyStatus: 529 }), 'throttled')).toBe(529)
    expect(failureStatus(failure(307), 'denied')).toBe(502)
    expect(failureStatus(failure(400), 'invalid-credentials')).toBe(400)
  })

  it('shows the client the masked message, the upstream code and the words of all dialects', () => {
    const raw = failure(401, { message: 'Bad key sk-abc123def456 at https://api.example.com/v1.' })
    expect(clientErrorOf(raw, 'invalid-credentials', { requestId: 'r1' })).toEqual({
      status: 401,
      code: 'upstream_auth_failed',
      message: 'Bad key *** at ***. (request id: r1)',
      openaiType: 'authentication_error',
      anthropicType: 'authentication_error',
      geminiStatus: 'UNAUTHENTICATED',
      param: null,
      requestId: 'r1',
    })
  })

  it('shows a neutral text for a body of unknown shape', () => {
    const error = clientErrorOf(readFailure(502, '<html>x</html>'), 'upstream', {
      requestId: 'r1',
      neutralMessage: 'neutral',
    })
    expect(error).toMatchObject({
      status: 502,
      code: 'bad_response_status_code',
      message: 'neutral (request id: r1)',
      openaiType: 'upstream_error',
      param: '502',
    })
  })
})
