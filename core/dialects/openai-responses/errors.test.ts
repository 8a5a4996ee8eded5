import { expect, it } from 'vitest'
import type { ClientError } from '../../contract/dialect.ts'
import { SseSplitter } from '../../wire/sse.ts'
import { codecs } from '../index.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

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

const meta = answerMeta({ createdSeconds: 1_767_225_600 })

const codec = codecs['openai-responses']

it.each([
  ['after a converted answer', () => codec.streamWriter(meta).error(error)],
  ['after an answer as it came', () => codec.streamError(error)],
])('an error has the fields of the reference and those that SDKs throw: %s', (_, written) => {
  const events = new SseSplitter().push(Buffer.from(written()))
  const last = JSON.parse([...events].at(-1)?.data ?? '{}') as Record<string, unknown>
  const { message, code, param } = error
  expect(last).toMatchObject({ type: 'error', message, code, param })
  const nested = { ...(codec.writeError(error)['error'] as object), type: 'server_error' }
  expect(last).toMatchObject({ error: nested })
  expect(last['sequence_number']).toBeTypeOf('number')
})
