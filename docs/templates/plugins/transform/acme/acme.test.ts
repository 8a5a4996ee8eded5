import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  conformance,
  type Customer,
  scriptedUpstream,
  type ScriptedUpstream,
  testGateway,
  type TestGateway,
  writeEvents,
} from 'tollgate/test'
import { beginningOf } from './beginning-of.ts'

let upstream: ScriptedUpstream
let gateway: TestGateway
let customer: Customer

before(async () => {
  upstream = await scriptedUpstream()
  gateway = await testGateway(import.meta.dirname, { options: { AcmeWord: 'Falcon' } })
  await gateway.addChannel({ base_url: upstream.url, models: 'a-model' })
  customer = await gateway.addCustomer('ada')
})

after(async () => {
  await gateway.close()
  await upstream.close()
})

const mark = '[ACME_WORD]'

const piece = (content: string) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'a-model',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
})

test('hides the word from the upstream, and shows it in a stream that is cut inside the mark', async () => {
  upstream.behave((response) => {
    writeEvents(response, [
      piece(mark.slice(0, 4)),
      piece(`${mark.slice(4)} and [1]`),
      'data: [DONE]\n\n',
    ])
    response.end()
  })
  const answer = await gateway.call(customer, '/v1/chat/completions', {
    model: 'a-model',
    messages: [{ role: 'user', content: 'Tell me of Falcon' }],
    stream: true,
  })
  const said = [...(await answer.text()).matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text)
  assert.equal(said.join(''), 'Falcon and [1]')
  assert.match(upstream.calls[0]?.sent ?? '', /Tell me of \[ACME_WORD\]/)
})

test('keeps half a mark back', () => {
  assert.equal(beginningOf('[WORD]', 'a [WO'), 3)
  assert.equal(beginningOf('[WORD]', 'a word'), 0)
})

test('keeps the contract', () => conformance(import.meta.dirname))
