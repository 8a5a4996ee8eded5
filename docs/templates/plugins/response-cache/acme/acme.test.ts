import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  conformance,
  consumptionRows,
  type Customer,
  eventually,
  fakeUpstream,
  type FakeUpstream,
  testGateway,
  type TestGateway,
} from 'tollgate/test'

let upstream: FakeUpstream
let gateway: TestGateway
let ada: Customer

before(async () => {
  upstream = await fakeUpstream({ promptTokens: 100, completionTokens: 100 })
  gateway = await testGateway(import.meta.dirname)
  await gateway.addChannel({ base_url: upstream.url, models: 'a-model' })
  ada = await gateway.addCustomer('ada')
})

after(async () => {
  await gateway.close()
  await upstream.close()
})

const ask = async (customer: Customer, temperature = 0) => {
  const messages = [{ role: 'user', content: 'Hello' }]
  const body = { model: 'a-model', messages, temperature }
  const answer = await gateway.call(customer, '/v1/chat/completions', body)
  assert.equal(answer.status, 200)
  return answer.text()
}

test('answers an equal question of the same user, for a tenth', async () => {
  await ask(ada)
  await eventually(async () => {
    const before = upstream.callCount
    await ask(ada)
    assert.equal(upstream.callCount, before)
  })
  const [again, ...others] = await consumptionRows(gateway.root, 'ada')
  assert.deepEqual([again?.quota, others.at(-1)?.quota], [20, 200])
})

test('asks anew for somebody else, and where it shall be different', async () => {
  const before = upstream.callCount
  await ask(await gateway.addCustomer('bob'))
  await ask(ada, 1)
  assert.equal(upstream.callCount, before + 2)
})

test('keeps the contract', () => conformance(import.meta.dirname))
