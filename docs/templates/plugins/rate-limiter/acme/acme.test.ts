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
  upstream = await fakeUpstream({ delayMs: 300 })
  gateway = await testGateway(import.meta.dirname, { options: { AcmeOpenCalls: 2 } })
  await gateway.addChannel({ base_url: upstream.url, models: 'a-model' })
  customer = await gateway.addCustomer('ada')
})

after(async () => {
  await gateway.close()
  await upstream.close()
})

const call = async () => {
  const messages = [{ role: 'user', content: 'Hello' }]
  const answer = await gateway.call(customer, '/v1/chat/completions', {
    model: 'a-model',
    messages,
  })
  await answer.text()
  return answer.status
}

test('refuses what is more than the limit, and lets it in when others have ended', async () => {
  const together = await Promise.all([call(), call(), call()])
  assert.deepEqual(
    together.toSorted((a, b) => a - b),
    [200, 200, 429],
  )
  assert.equal(await call(), 200)
})

test('keeps the contract', () => conformance(import.meta.dirname))
