import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  balanceOf,
  conformance,
  type Customer,
  orderAt,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  testGateway,
  type TestGateway,
} from 'tollgate/test'

const secret = 'a secret of the shop'
let counterpart: ScriptedUpstream
let gateway: TestGateway
let customer: Customer

before(async () => {
  counterpart = await scriptedUpstream()
  counterpart.behave((response, { body }) =>
    sendJson(response, { page: `https://acme.example/pay/${String(body['order'])}` }),
  )
  gateway = await testGateway(import.meta.dirname, {
    options: { AcmeAddress: counterpart.url, AcmeShop: 'shop', AcmeSecret: secret },
  })
  await gateway.setOptions({ ServerAddress: gateway.url })
  customer = await gateway.addCustomer('ada', 0)
})

after(async () => {
  await gateway.close()
  await counterpart.close()
})

/** The counterpart tells of a payment; resolves to the status that it reads. */
async function tell(event: object, key = secret): Promise<number> {
  const body = JSON.stringify(event)
  const signature = createHmac('sha256', key).update(body).digest('hex')
  const answer = await fetch(`${gateway.url}/api/user/acme/notify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'acme-signature': signature },
    body,
  })
  return answer.status
}

test('credits an order once, when Acme says that it was paid', async () => {
  const page = await orderAt(customer, { amount: 5, payment_method: 'acme' })
  const asked = counterpart.calls.at(-1)?.body
  const order = String(asked?.['order'])
  assert.equal(asked?.['sum'], '5.00')
  assert.equal(page.url, `https://acme.example/pay/${order}`)
  const paid = { type: 'paid', id: 'p1', order, sum: asked?.['sum'], currency: 'EUR', shop: 'shop' }

  assert.equal(await tell({ ...paid, sum: '0.01' }), 400)
  assert.equal(await tell(paid, 'another secret'), 400)
  assert.equal(await balanceOf(customer), 0)

  assert.deepEqual([await tell(paid), await tell(paid)], [200, 200])
  assert.equal(await balanceOf(customer), 2_500_000)
})

test('keeps the contract', () => conformance(import.meta.dirname))
