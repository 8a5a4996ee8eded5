// What only Anthropic can do, and what must not be left out in silence.
import { expect, it } from 'vitest'
import { refuseNativeFields } from '../neutral/request-errors.ts'
import { parseRequest } from './parse-request.ts'

const read = (field: object) =>
  parseRequest({
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Go on.' }],
    ...field,
  })

it.each([
  ['a thread, whose last turn alone others would see', 'thread', { type: 'create' }],
  ['the next turn of one', 'thread', { type: 'continue', previous_message_id: 'msg_1' }],
  ['a summary, for which others would reply', 'compaction', { type: 'summarize' }],
])('%s is refused elsewhere', (_what, name, value) => {
  expect(() => refuseNativeFields(read({ [name]: value }))).toThrow(`${name}: is not supported`)
})

it.each(['thread', 'compaction'])('%s may be null', (name) => {
  expect(() => refuseNativeFields(read({ [name]: null }))).not.toThrow()
})
