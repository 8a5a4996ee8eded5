import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  conformance,
  consumptionRows,
  type Customer,
  eventually,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  testGateway,
  type TestGateway,
} from 'tollgate/test'

let upstream: ScriptedUpstream
let gateway: TestGateway
let ada: Customer

before(async () => {
  upstream = await scriptedUpstream()
  gateway = await testGateway(import.meta.dirname, { env: { TASK_POLL_SECONDS: '1' } })
  await gateway.addChannel({ base_url: upstream.url, models: 'acme-draw' })
  ada = await gateway.addCustomer('ada')
})

after(async () => {
  await gateway.close()
  await upstream.close()
})

const drawing = async (id: string) => {
  const headers = { authorization: `Bearer ${ada.key}` }
  const answer = await fetch(`${gateway.url}/acme/drawings/${id}`, { headers })
  return (await answer.json()) as { state?: string; progress?: string }
}

test('hands a drawing in, follows it and shows the end', async () => {
  const url = 'https://acme.example/d1.png'
  upstream.behave((response, { path }) =>
    path.includes('?ids=')
      ? sendJson(response, { drawings: [{ id: 'd1', state: 'done', percent: 100, url }] })
      : sendJson(response, { id: 'd1' }),
  )
  const answer = await gateway.call(ada, '/acme/drawings', { prompt: 'a fox' })
  assert.deepEqual(await answer.json(), { id: 'd1', state: 'open' })
  assert.equal((await consumptionRows(gateway.root, 'ada')).length, 1)
  await eventually(async () => assert.equal((await drawing('d1')).progress, '100%'))
})

test('charges nothing for what the upstream refuses', async () => {
  upstream.behave((response) => sendJson(response, { error: { message: 'Mind your words.' } }, 400))
  const before = (await consumptionRows(gateway.root, 'ada')).length
  const answer = await gateway.call(ada, '/acme/drawings', { prompt: 'rude words' })
  assert.equal(answer.status, 400)
  assert.equal((await consumptionRows(gateway.root, 'ada')).length, before)
})

test('keeps the contract', () => conformance(import.meta.dirname))
