import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { conformance, eventually, testGateway, type TestGateway } from 'tollgate/test'

let gateway: TestGateway

before(async () => {
  gateway = await testGateway(import.meta.dirname, { env: { ACME_SECONDS: '0.1' } })
})

after(() => gateway.close())

test('counts by the clock', () =>
  eventually(async () => {
    const [count] = await gateway.root.get<{ people: number }[]>('/api/acme')
    assert.equal(count?.people, 1)
  }))

test('keeps the contract', () => conformance(import.meta.dirname))
