import { expect, it } from 'vitest'
import { buildRequest } from './build-request.ts'
import { parseRequest } from './parse-request.ts'

it('says what to send in place of an item that lies at OpenAI', () => {
  const input = [
    { role: 'user', content: 'Hi' },
    { type: 'item_reference', id: 'msg_1' },
  ]
  expect(() => parseRequest({ model: 'm', input })).toThrow(/input\[1\]\.type: .*store: false/)
})

it('leaves a sealed thought the id by which OpenAI knows it', () => {
  const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' }
  const input = [{ role: 'user', content: 'Hi' }, thought, { role: 'user', content: 'Go on' }]
  const target = { upstreamModel: 'gpt-5', dropped: [], option: () => undefined as never }
  const built = buildRequest(parseRequest({ model: 'm', input }), target)
  expect(built.input).toContainEqual(expect.objectContaining(thought))
})
