import { expect, it } from 'vitest'
import { parseRequest } from './parse-request.ts'

it('says what to send in place of an item that lies at OpenAI', () => {
  const input = [
    { role: 'user', content: 'Hi' },
    { type: 'item_reference', id: 'msg_1' },
  ]
  expect(() => parseRequest({ model: 'm', input })).toThrow(/input\[1\]\.type: .*store: false/)
})
