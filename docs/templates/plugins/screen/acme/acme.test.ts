import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { conformance, type Customer, testGateway, type TestGateway } from 'tollgate/test'

interface Note {
  id: string
  text: string
}

let gateway: TestGateway
let ada: Customer
let bob: Customer

before(async () => {
  gateway = await testGateway(import.meta.dirname)
  ada = await gateway.addCustomer('ada')
  bob = await gateway.addCustomer('bob')
})

after(() => gateway.close())

test('keeps the notes of each person apart', async () => {
  await ada.client.post('/api/acme', { text: 'Buy milk' })
  const [note] = await ada.client.get<Note[]>('/api/acme')
  assert.equal(note?.text, 'Buy milk')
  assert.deepEqual(await bob.client.get('/api/acme'), [])
  assert.deepEqual(await bob.client.delete(`/api/acme/${note?.id}`), { deleted: 0 })
  assert.deepEqual(await ada.client.delete(`/api/acme/${note?.id}`), { deleted: 1 })
})

test('refuses an empty note, and whoever is not signed in', async () => {
  assert.equal((await ada.client.call('POST', '/api/acme', { text: '' })).success, false)
  assert.equal((await fetch(`${gateway.url}/api/acme`)).status, 401)
})

test('keeps the contract', () => conformance(import.meta.dirname))
