import { describe, expect, it } from 'vitest'
import { UpstreamError, type FailureClass } from '../../contract/errors.ts'
import { channelRow } from '../../../test/harness/channel-row.ts'
import { routedChannel } from '../../channels/routing/routed-channel.ts'
import { netError } from '../../net/net-errors.ts'
import { isOfUpstream, judge } from './failures.ts'

const channel = routedChannel(channelRow({ id: 1 }), 'sk-test', undefined)

function judged(status: number, failureClass?: FailureClass, retryStatusCodes = '') {
  const failure = { status, message: 'no', code: null, isKnownShape: true }
  return judge(new UpstreamError(failure, failureClass), {
    channel,
    requestId: 'r',
    language: 'en',
    retryStatusCodes,
  })
}

describe('another channel', () => {
  it.each([
    { status: 400, failureClass: 'upstream' },
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

  it.each([500, 502, 503, 418])('is tried after a bare %d where the option lists it', (status) => {
    expect(judged(status, undefined, '418,500-503').isRetryable).toBe(true)
    expect(judged(status, undefined, '599').isRetryable).toBe(false)
  })
})

describe("a refused key of the gateway's own", () => {
  const failure = {
    status: 401,
    message: 'Incorrect API key provided: sk-abcdefghijkl.',
    code: 'invalid_api_key',
    isKnownShape: true,
  }

  it.each([
    ['en', "The provider refused this gateway's key. Your own key is in order."],
    ['zh', '上游拒绝的是本网关的密钥，您自己的密钥没有问题。'],
  ] as const)('is not taken for the one of the client (%s)', (language, words) => {
    const { clientError } = judge(new UpstreamError(failure), {
      channel,
      requestId: 'r',
      language,
      retryStatusCodes: '',
    })
    expect(clientError.message).toContain(words)
    expect(clientError.message).toContain('Incorrect API key provided: ')
  })

  it('is no word of other failures', () => {
    expect(judged(403).clientError.message).toBe('no (request id: r)')
  })
})

describe('a credit of the gateway that is too little for one call', () => {
  it('is told as such, not as a refused key', () => {
    const { clientError } = judged(402, 'denied')
    expect(clientError).toMatchObject({ status: 402, code: 'upstream_credit_too_low' })
    expect(clientError.message).toContain('your own balance is not the reason')
    expect(judged(403, 'denied').clientError.code).toBe('upstream_auth_failed')
  })
})

describe('what an upstream repeats of a call', () => {
  it.each([400, 500, 503])('is no word of its own after a %d', (status) => {
    const message = 'Unknown role: no money left'
    const { ownMessage } = judge(
      new UpstreamError({ status, message, code: null, isKnownShape: true }),
      {
        channel,
        requestId: 'r',
        language: 'en',
        sent: { messages: [{ role: 'no money left' }] },
        retryStatusCodes: '',
      },
    )
    expect(ownMessage).toBe('Unknown role:  ')
  })
})

describe("an empty account of the gateway's own", () => {
  it.each([
    ['en', 'Your own balance is not the reason.'],
    ['zh', '与您自己的余额无关。'],
  ] as const)('is not taken for the balance of the client (%s)', (language, words) => {
    const message = 'You exceeded your current quota, please check your plan and billing details.'
    const failure = { status: 429, message, code: 'insufficient_quota', isKnownShape: true }
    const { clientError, upstreamMessage } = judge(new UpstreamError(failure), {
      channel,
      requestId: 'r',
      language,
      retryStatusCodes: '',
    })
    expect(clientError.message).toContain(words)
    expect(clientError.message).toContain(message)
    expect(upstreamMessage).toBe(message)
  })
})

describe('a connection that failed', () => {
  const socket = Object.assign(new Error('The exchange broke HTTP/1.1'), { code: 'CLOSED_EARLY' })

  it.each([
    ['connect', 'en', 'The upstream could not be reached. (request id: r)'],
    ['headers', 'en', 'The upstream broke off the connection. (request id: r)'],
    ['body', 'zh', '上游中断了连接。 (request id: r)'],
  ] as const)('is told without its code (%s, %s)', (phase, language, message) => {
    const failure = judge(netError(socket, phase), {
      channel,
      requestId: 'r',
      language,
      retryStatusCodes: '',
    })
    expect(failure.clientError).toMatchObject({ message, code: 'do_request_failed' })
    expect(failure.upstreamMessage).toContain('CLOSED_EARLY')
  })
})

describe('a connection for which this machine has no socket', () => {
  it.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL'])(
    'is no failure of the channel, and another one is tried: %s',
    (code) => {
      const error = netError(Object.assign(new Error('no socket'), { code }), 'connect')
      const failure = judge(error, {
        channel,
        requestId: 'r',
        language: 'en',
        retryStatusCodes: '',
      })
      expect(isOfUpstream(failure.failureClass)).toBe(false)
      expect(failure.isRetryable).toBe(true)
      expect(failure.clientError).toMatchObject({
        status: 503,
        code: 'gateway_overloaded',
        openaiType: 'server_error',
        message: expect.not.stringContaining(code) as string,
      })
      expect(failure.upstreamMessage).toContain(code)
    },
  )
})
