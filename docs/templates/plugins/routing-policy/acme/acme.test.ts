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

let first: FakeUpstream
let second: FakeUpstream
let gateway: TestGateway
let ada: Customer

before(async () => {
  first = await fakeUpstream()
  second = await fakeUpstream()
  gateway = await testGateway(import.meta.dirname)
  for (const { url } of [first, second])
    await gateway.addChannel({ base_url: url, models: 'a-model' })
  ada = await gateway.addCustomer('ada')
})

after(async () => {
  await gateway.close()
  await Promise.all([first.close(), second.close()])
})

test('takes the first of two channels that never failed, each time', async () => {
  for (let call = 0; call < 10; call += 1) {
    const messages = [{ role: 'user', content: `Hello ${call}` }]
    const answer = await gateway.call(ada, '/v1/chat/completions', { model: 'a-model', messages })
    assert.equal(answer.status, 200)
  }
  assert.deepEqual([first.callCount, second.callCount], [10, 0])
})

test('keeps the contract', () => conformance(import.meta.dirname))
