import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { conformance, testGateway, type TestGateway } from 'tollgate/test'

let gateway: TestGateway

before(async () => {
  gateway = await testGateway(import.meta.dirname)
})

after(() => gateway.close())

test('keeps its rows over a restart, and those of each person apart', async () => {
  await gateway.root.put('/api/acme', { model: 'a-model', stars: 3 })
  await gateway.root.put('/api/acme', { model: 'a-model', stars: 5 })
  await gateway.restart()
  assert.deepEqual(await gateway.root.get('/api/acme'), [{ model: 'a-model', stars: 5 }])
  const { client } = await gateway.addCustomer('ada')
  assert.deepEqual(await client.get('/api/acme'), [])
})

test('refuses stars out of range', async () => {
  const { success } = await gateway.root.call('PUT', '/api/acme', { model: 'm', stars: 6 })
  assert.equal(success, false)
})

test('keeps the contract', () => conformance(import.meta.dirname))
