import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { conformance, testGateway, type TestGateway } from 'tollgate/test'

let gateway: TestGateway

before(async () => {
  gateway = await testGateway(import.meta.dirname)
})

after(() => gateway.close())

test('counts accounts, for admins only', async () => {
  assert.deepEqual(await gateway.root.get('/api/acme'), { people: 1 })
  const { client } = await gateway.addCustomer('ada')
  assert.equal((await client.call('GET', '/api/acme')).success, false)
  assert.deepEqual(await gateway.root.get('/api/acme'), { people: 2 })
})

test('sends its console part', async () => {
  const parts =
    await gateway.root.get<{ id: string; module: string | null }[]>('/api/plugin/console')
  const part = parts.find(({ id }) => id === 'acme')
  const answer = await fetch(gateway.url + String(part?.module))
  assert.match(await answer.text(), /PeopleCard/)
})

test('keeps the contract', () => conformance(import.meta.dirname))
