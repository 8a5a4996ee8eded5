import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  balanceOf,
  conformance,
  type Customer,
  orderAt,
  ordersOf,
  testGateway,
  type TestGateway,
} from 'tollgate/test'
import { fromMinor, toMinor } from './amounts.ts'
import { keys, openSandbox, type Sandbox } from './sandbox.ts'

/** What five units of quota are. */
const FIVE_UNITS = 2_500_000

let tilla: Sandbox
let gateway: TestGateway
let number = 0

before(async () => {
  tilla = await openSandbox()
  gateway = await testGateway(import.meta.dirname, {
    options: {
      TillaAddress: tilla.url,
      TillaShop: 'shop-1',
      TillaKey: keys.api,
      TillaNoticeSecret: keys.notices,
      TillaUnitPrice: 2,
    },
  })
  await gateway.setOptions({ ServerAddress: gateway.url })
})

after(async () => {
  await gateway.close()
  await tilla.close()
})

/** A customer with an order of five units, and what Tilla says of its payment. */
async function ordered() {
  number += 1
  const customer = await gateway.addCustomer(`customer-${number}`, 0)
  const page = await orderAt(customer, { amount: 5, payment_method: 'tilla' })
  const checkout = tilla.checkouts.at(-1)
  assert.ok(checkout)
  const { order, amount, currency, shop } = checkout
  const paid = { payment: `p${number}`, order, amount, currency, shop }
  return { customer, page, paid }
}

const hasNothing = async (customer: Customer) => assert.equal(await balanceOf(customer), 0)

test('leads to the page of the order, with the sum in cents', async () => {
  const { page, paid } = await ordered()
  assert.equal(page.url, `https://pay.tilla.example/${paid.order}`)
  assert.deepEqual([paid.amount, paid.currency, paid.shop], [1000, 'EUR', 'shop-1'])
})

test('credits a payment once, however often and in parallel it is told', async () => {
  const { customer, paid } = await ordered()
  const told = await Promise.all(Array.from({ length: 5 }, () => tilla.tell('checkout.paid', paid)))
  assert.deepEqual(new Set(told), new Set([200]))
  assert.equal(await balanceOf(customer), FIVE_UNITS)
  assert.equal((await ordersOf(customer))[0]?.status, 'success')
})

test('takes nothing that is not signed, too old, of another shop, sum or currency', async () => {
  const { customer, paid } = await ordered()
  const told = [
    await tilla.tell('checkout.paid', paid, { secret: 'guessed' }),
    await tilla.tell('checkout.paid', paid, { ageSeconds: 3_600 }),
    await tilla.tell('checkout.paid', { ...paid, shop: 'shop-2' }),
    await tilla.tell('checkout.paid', { ...paid, amount: 1 }),
    await tilla.tell('checkout.paid', { ...paid, currency: 'JPY' }),
    await tilla.tell('checkout.paid', { ...paid, amount: '1000' }),
    await tilla.tell('checkout.paid', { ...paid, order: 'another' }),
  ]
  assert.deepEqual(told, Array(7).fill(400))
  await hasNothing(customer)
})

test('takes back what was refunded, in parts and repeated', async () => {
  const { customer, paid } = await ordered()
  await tilla.tell('checkout.paid', paid)
  for (const refunded of [250, 250, 1000]) {
    assert.equal(await tilla.tell('payment.refunded', { ...paid, refunded }), 200)
    assert.equal(await balanceOf(customer), FIVE_UNITS - (FIVE_UNITS * refunded) / 1000)
  }
})

test('takes a dispute back and gives it again when it is won', async () => {
  const { customer, paid } = await ordered()
  await tilla.tell('checkout.paid', paid)
  const dispute = { ...paid, dispute: 'd1' }
  await tilla.tell('dispute.opened', dispute)
  await hasNothing(customer)
  for (let times = 0; times < 2; times += 1) await tilla.tell('dispute.won', dispute)
  assert.equal(await balanceOf(customer), FIVE_UNITS)
})

test('ends an order that nobody paid, and leaves out notices that it does not know', async () => {
  const { customer, paid } = await ordered()
  assert.equal(await tilla.tell('shop.renamed', paid), 200)
  assert.equal(await tilla.tell('checkout.expired', paid), 200)
  assert.notEqual((await ordersOf(customer))[0]?.status, 'pending')
  await hasNothing(customer)
})

test('says so when Tilla does not take the order', async () => {
  const customer = await gateway.addCustomer('unlucky', 0)
  await gateway.setOptions({ TillaKey: 'a wrong key' })
  await assert.rejects(orderAt(customer, { amount: 5, payment_method: 'tilla' }), /HTTP 401/)
  await gateway.setOptions({ TillaKey: keys.api })
})

test('keeps amounts exact', () => {
  for (const [money, decimals, minor] of [
    ['12.30', 2, 1230],
    ['0.05', 2, 5],
    ['7', 0, 7],
  ] as const) {
    assert.equal(toMinor(money, decimals), minor)
    assert.equal(fromMinor(minor, decimals), money)
  }
})

test('keeps the contract', () => conformance(import.meta.dirname))
