import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  conformance,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  testGateway,
  type TestGateway,
} from 'tollgate/test'

let upstream: FakeUpstream
let gateway: TestGateway
let customer: Customer

before(async () => {
  upstream = await fakeUpstream()
  gateway = await testGateway(import.meta.dirname, { options: { AcmeWords: 'forbidden\n' } })
  await gateway.addChannel({ base_url: upstream.url, models: 'a-model' })
  customer = await gateway.addCustomer('ada')
})

after(async () => {
  await gateway.close()
  await upstream.close()
})

const say = (content: string) =>
  gateway.call(customer, '/v1/chat/completions', {
    model: 'a-model',
    messages: [{ role: 'user', content }],
  })

test('refuses what holds a word, before anybody is asked', async () => {
  const answer = await say('something Forbidden')
  const { error } = (await answer.json()) as { error: { code: string } }
  assert.deepEqual([answer.status, error.code], [400, 'acme_refused'])
  assert.equal(upstream.callCount, 0)
})

test('lets the rest through, and follows a change at once', async () => {
  assert.equal((await say('pear')).status, 200)
  await gateway.setOptions({ AcmeWords: 'pear' })
  assert.equal((await say('pear')).status, 400)
})

test('keeps the contract', () => conformance(import.meta.dirname))
