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
