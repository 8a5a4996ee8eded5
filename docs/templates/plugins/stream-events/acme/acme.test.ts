import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  conformance,
  consumptionRows,
  type Customer,
  scriptedUpstream,
  type ScriptedUpstream,
  testGateway,
  type TestGateway,
  writeEvents,
} from 'tollgate/test'
import { withoutPadding } from './without-padding.ts'

let upstream: ScriptedUpstream
let gateway: TestGateway
let ada: Customer

before(async () => {
  upstream = await scriptedUpstream()
  gateway = await testGateway(import.meta.dirname)
  await gateway.addChannel({ base_url: upstream.url, models: 'a-model' })
  ada = await gateway.addCustomer('ada')
})

after(async () => {
  await gateway.close()
  await upstream.close()
})

const piece = (delta: object, more: object = {}) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'a-model',
  choices: [{ index: 0, delta, finish_reason: null }],
  obfuscation: 'aB3d',
  ...more,
})

test('takes the padding out of a stream, and nothing else', async () => {
  const usage = { prompt_tokens: 40, completion_tokens: 60, total_tokens: 100 }
  upstream.behave((response) => {
    writeEvents(response, [
      piece({ content: 'Good ' }),
      piece({ content: 'morning' }),
      piece({}, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
      piece({}, { choices: [], usage }),
      'data: [DONE]\n\n',
    ])
    response.end()
  })
  const answer = await gateway.call(ada, '/v1/chat/completions', {
    model: 'a-model',
    messages: [{ role: 'user', content: 'Hello' }],
    stream: true,
  })
  const text = await answer.text()
  const said = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, word]) => word)
  assert.equal(said.join(''), 'Good morning')
  assert.ok(!text.includes('obfuscation'))
  // What is charged is what the upstream counted.
  assert.equal((await consumptionRows(gateway.root, 'ada'))[0]?.quota, 100)
})

test('leaves an event without padding as the object that it is', () => {
  const event = { type: 'ping' }
  assert.equal(withoutPadding(event), event)
})

test('keeps the contract', () => conformance(import.meta.dirname))
