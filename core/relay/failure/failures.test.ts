import { describe, expect, it } from 'vitest'
import { UpstreamError, type FailureClass } from '../../contract/errors.ts'
import { channelRow } from '../../../test/harness/channel-row.ts'
import { routedChannel } from '../../channels/routed-channel.ts'
import { judge } from './failures.ts'

const channel = routedChannel(channelRow({ id: 1 }), 'sk-test', undefined)

function judged(status: number, failureClass?: FailureClass) {
  const failure = { status, message: 'no', code: null, isKnownShape: true }
  return judge(new UpstreamError(failure, failureClass), {
    channel,
    requestId: 'r',
    language: 'en',
    retryStatusCodes: '',
  })
}

describe('another channel', () => {
  it.each([
    { status: 500, failureClass: 'upstream' },
    { status: 200, failureClass: 'upstream' },
    { status: 429, failureClass: undefined },
    { status: 400, failureClass: 'insufficient-funds' },
  ] as const)('is tried after $status of class $failureClass', ({ status, failureClass }) => {
    expect(judged(status, failureClass).isRetryable).toBe(true)
  })

  it.each([
    { status: 408, failureClass: 'upstream' },
    { status: 504, failureClass: 'upstream' },
    { status: 524, failureClass: undefined },
    { status: 400, failureClass: undefined },
    { status: 400, failureClass: 'content' },
  ] as const)('is not tried after $status of class $failureClass', ({ status, failureClass }) => {
    expect(judged(status, failureClass).isRetryable).toBe(false)
  })
})
