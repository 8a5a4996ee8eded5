import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { conformance, testGateway, type TestGateway } from 'tollgate/test'

interface Cards {
  items: { id: string; name: string; stars: number }[]
  total: number
}

let gateway: TestGateway

before(async () => {
  gateway = await testGateway(import.meta.dirname)
  for (const [index, name] of ['Fox', 'Owl', '100 %'].entries())
    await gateway.root.post('/api/acme', { name, colour: index === 0 ? 'red' : 'blue', stars: 3 })
})

after(() => gateway.close())

const list = (query = '') => gateway.root.get<Cards>(`/api/acme${query}`)

test('gives pages, and how many there are', async () => {
  const { items, total } = await list('?p=2&page_size=2')
  assert.deepEqual([items.length, total], [1, 3])
})

test('finds by name and colour, and takes what is typed as it is', async () => {
  assert.deepEqual(
    (await list('?keyword=OW')).items.map(({ name }) => name),
    ['Owl'],
  )
  assert.deepEqual(
    (await list('?keyword=%25')).items.map(({ name }) => name),
    ['100 %'],
  )
  assert.equal((await list('?colour=red')).total, 1)
})

test('changes a card, deletes it, and says so when it is gone', async () => {
  const [card] = (await list('?keyword=fox')).items
  const path = `/api/acme/${card?.id}`
  await gateway.root.put(path, { name: 'Red fox', colour: 'red', stars: 5 })
  assert.equal((await list('?keyword=red')).items[0]?.stars, 5)
  await gateway.root.delete(path)
  const gone = await gateway.root.call('PUT', path, { name: 'Fox', colour: 'red', stars: 5 })
  assert.match(gone.message, /There is no card/)
})

test('refuses stars out of range, and whoever is no admin', async () => {
  const body = { name: 'Fox', colour: 'red', stars: 6 }
  assert.equal((await gateway.root.call('POST', '/api/acme', body)).success, false)
  const { client } = await gateway.addCustomer('ada')
  assert.equal((await client.call('GET', '/api/acme')).success, false)
})

test('keeps the contract', () => conformance(import.meta.dirname))
