import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  conformance,
  type Customer,
  eventually,
  testGateway,
  type TestGateway,
} from 'tollgate/test'

let gateway: TestGateway
let ada: Customer

before(async () => {
  gateway = await testGateway(import.meta.dirname)
  ada = await gateway.addCustomer('ada')
})

after(() => gateway.close())

const last = () => gateway.root.get<Record<string, number>>('/api/acme')

test('hears of who signs in, a moment later', () =>
  eventually(async () => assert.equal(typeof (await last())[ada.id], 'number')))

test('reads anew what it knew before a restart', async () => {
  await gateway.restart()
  await eventually(async () => assert.equal(typeof (await last())[ada.id], 'number'))
})

test('forgets who is deleted', async () => {
  await gateway.root.delete(`/api/user/${ada.id}`)
  await eventually(async () => assert.equal((await last())[ada.id], undefined))
})

test('keeps the contract', () => conformance(import.meta.dirname))
