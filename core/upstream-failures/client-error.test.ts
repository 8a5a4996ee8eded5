import { describe, expect, it } from 'vitest'
import type { FailureClass } from '../contract/errors.ts'
import { codecs } from '../dialects/index.ts'
import { clientErrorOf } from './client-error.ts'

function shown(status: number, body: unknown, failureClass: FailureClass) {
  const failure = codecs.gemini.readError(status, body)
  return failure && clientErrorOf(failure, failureClass, { requestId: 'r' })
}

describe('a status that the upstream repeats as its code', () => {
  it.each([
    [429, 'throttled', 'upstream_saturated'],
    [403, 'denied', 'upstream_auth_failed'],
    [400, 'bad-request', null],
    [500, 'upstream', null],
  ] as const)('is not shown as one: %i of class %s', (status, failureClass, code) => {
    const body = { error: { code: status, message: 'no', status: 'WORD' } }
    expect(shown(status, body, failureClass)?.code).toBe(code)
  })

  it.each([
    [200, 400, null],
    [200, 502, null],
    [200, 529, null],
    [200, 514, 514],
    [502, 502, null],
    [502, 1113, 1113],
  ])('is told from other numbers of the chat dialect: in a %i, %i', (status, number, code) => {
    const body = { error: { code: number, message: 'Provider disconnected' } }
    const failure = codecs['openai-chat'].readError(status, body)
    expect(failure).toBeDefined()
    expect(failure && clientErrorOf(failure, 'upstream', { requestId: 'r' }).code).toBe(code)
  })

  it.each([200, 500])('is not shown either where it stands inside a %i', (status) => {
    const body = { error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } }
    expect(shown(status, body, 'throttled')?.code).toBeNull()
  })

  it('is that of the failure where it stands inside a 200', () => {
    const body = { error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } }
    expect(shown(200, body, 'throttled')).toMatchObject({ status: 503, code: null })
  })
})

it('shows the number of an upstream that is no status', () => {
  const body = { error: { code: 1113, message: 'in arrears' } }
  expect(shown(429, body, 'throttled')?.code).toBe(1113)
})

it.each([407, 600, 999])('answers 502 for %i, which clients cannot read', (status) => {
  const failure = { status, message: 'm', code: null, isKnownShape: true }
  expect(clientErrorOf(failure, 'upstream', { requestId: 'r' })).toMatchObject({ status: 502 })
})

describe('what programs read of a failure', () => {
  const told = (status: number, failureClass: FailureClass, more: object = {}) =>
    clientErrorOf({ status, message: 'm', code: null, isKnownShape: true, ...more }, failureClass, {
      requestId: 'r',
    })

  it('is that it will not pass where the account is empty, and nowhere else', () => {
    expect(told(429, 'insufficient-funds')).toMatchObject({
      isFinal: true,
      anthropicType: 'billing_error',
      geminiStatus: 'PERMISSION_DENIED',
    })
    expect(told(429, 'throttled')).not.toHaveProperty('isFinal')
  })

  it.each([
    [429, 'throttled', 'rate_limit_error'],
    [503, 'throttled', 'server_error'],
    [503, 'upstream', 'upstream_error'],
  ] as const)('is whose limit it is: %i of class %s', (status, failureClass, openaiType) => {
    expect(told(status, failureClass)).toMatchObject({ status, openaiType })
  })

  it.each([
    [418, 'invalid_request_error', 'INVALID_ARGUMENT'],
    [499, 'invalid_request_error', 'CANCELLED'],
    [500, 'api_error', 'INTERNAL'],
    [520, 'api_error', 'INTERNAL'],
  ])('is who is to blame, with a status that has no word: %i', (status, anthropic, gemini) => {
    expect(told(status, 'upstream')).toMatchObject({
      anthropicType: anthropic,
      geminiStatus: gemini,
    })
  })

  it('are its details, but for those of the account of the gateway', () => {
    const details = { field: 'model' }
    expect(told(400, 'bad-request', { details })).toMatchObject({ details })
    for (const ofAccount of ['invalid-credentials', 'insufficient-funds'] as const)
      expect(told(400, ofAccount, { details })).not.toHaveProperty('details')
  })
})
