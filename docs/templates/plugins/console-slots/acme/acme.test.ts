import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { conformance, testGateway, type TestGateway } from 'tollgate/test'

let gateway: TestGateway

before(async () => {
  gateway = await testGateway(import.meta.dirname)
})

after(() => gateway.close())

test('keeps one remark about a user', async () => {
  for (const text of ['Pays late', 'Pays in time'])
    await gateway.root.put('/api/acme', { user_id: 7, text })
  assert.deepEqual(await gateway.root.get('/api/acme'), { 7: 'Pays in time' })
})

test('shows and takes none where an ordinary user asks', async () => {
  const { client } = await gateway.addCustomer('ada')
  assert.equal((await client.call('GET', '/api/acme')).success, false)
  const remark = { user_id: 1, text: 'Hello' }
  assert.equal((await client.call('PUT', '/api/acme', remark)).success, false)
  assert.deepEqual(await gateway.root.get('/api/acme'), { 7: 'Pays in time' })
})

test('refuses what is no remark', async () => {
  for (const remark of [{ user_id: 0, text: '' }, { user_id: 1, text: 'x'.repeat(201) }, {}])
    assert.equal((await gateway.root.call('PUT', '/api/acme', remark)).success, false)
})

test('keeps the contract', () => conformance(import.meta.dirname))
