import { expect, it } from 'vitest'
import type { ClientError } from '../../contract/dialect.ts'
import { SseSplitter } from '../../wire/sse.ts'
import { codecs } from '../index.ts'

const error: ClientError = {
  status: 502,
  code: 'x',
  message: 'The upstream broke off. (request id: r)',
  openaiType: 'upstream_error',
  anthropicType: 'api_error',
  geminiStatus: 'UNAVAILABLE',
  param: null,
  requestId: 'r',
}

it('an error ends a stream twice: without a name for SDKs, with one for programs that know only that', () => {
  const codec = codecs['openai-chat']
  const written = {
    error: { ...(codec.writeError(error)['error'] as object), type: 'server_error' },
  }
  const events = [...new SseSplitter().push(Buffer.from(codec.streamError(error)))]
  expect(events.map(({ event }) => event)).toEqual([undefined, 'error'])
  for (const { data } of events) expect(JSON.parse(data)).toEqual(written)
})
