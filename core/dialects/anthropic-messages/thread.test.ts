import { expect, it } from 'vitest'
import { refuseNativeFields } from '../neutral/request-errors.ts'
import { parseRequest } from './parse-request.ts'

const read = (thread: unknown) =>
  parseRequest({
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Go on.' }],
    thread,
  })

it.each([{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }])(
  'is refused where others would see its last turn alone: %j',
  (thread) => {
    expect(() => refuseNativeFields(read(thread))).toThrow('thread')
  },
)

it('is no thread where it is null', () => {
  expect(() => refuseNativeFields(read(null))).not.toThrow()
})
