import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  conformance,
  consumptionRows,
  type Customer,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  testGateway,
  type TestGateway,
} from 'tollgate/test'

let parrot: ScriptedUpstream
let gateway: TestGateway
let customer: Customer
let channel: number

before(async () => {
  parrot = await scriptedUpstream()
  gateway = await testGateway(import.meta.dirname)
  channel = await gateway.addChannel({
    type: 100_001,
    base_url: parrot.url,
    key: 'seed_1',
    models: 'parrot-grey',
  })
  customer = await gateway.addCustomer('ada')
})

after(async () => {
  await gateway.close()
  await parrot.close()
})

test('lets a client of another dialect talk to Parrot, and bills what its meter says', async () => {
  parrot.behave((response) =>
    sendJson(response, {
      talk: 't1',
      said: 'Hello',
      why: 'end',
      meter: { heard: 7, heard_again: 2, spoken: 3 },
    }),
  )
  const answer = await gateway.call(customer, '/v1/messages', {
    model: 'parrot-grey',
    max_tokens: 20,
    messages: [{ role: 'user', content: 'Hi' }],
  })
  const { content, usage } = (await answer.json()) as {
    content: { text: string }[]
    usage: Record<string, number>
  }
  assert.equal(content[0]?.text, 'Hello')
  assert.deepEqual(
    [usage['input_tokens'], usage['cache_read_input_tokens'], usage['output_tokens']],
    [7, 2, 3],
  )
  const [row] = await consumptionRows(gateway.root, 'ada')
  assert.equal(row?.model_name, 'parrot-grey')
  assert.deepEqual([row?.['prompt_tokens'], row?.['completion_tokens']], [9, 3])
})

test('is found in the list of providers, with its name for Chinese readers and its logo', async () => {
  const types = await gateway.root.get<{ id: number; name: string }[]>('/api/channel/types')
  assert.ok(JSON.stringify(types).includes('鹦鹉'))
})

test('reads its voices and its purse', async () => {
  parrot.behave((response, { path }) =>
    sendJson(
      response,
      path === '/v2/voices'
        ? { voices: [{ name: 'parrot-grey' }, { name: 'parrot-new' }] }
        : { purse: { cents: 1234 } },
    ),
  )
  const models = await gateway.root.get<string[]>(`/api/channel/fetch_models/${channel}`)
  assert.deepEqual(models, ['parrot-grey', 'parrot-new'])
  const balance = await gateway.root.call('GET', `/api/channel/update_balance/${channel}`)
  assert.equal(balance.body['balance'], 12.34)
})

test('takes an answer without a purse for a failure, not for an empty purse', async () => {
  parrot.behave((response) => sendJson(response, {}))
  const balance = await gateway.root.call('GET', `/api/channel/update_balance/${channel}`)
  assert.equal(balance.body['success'], false)
})

test('keeps the contract', () => conformance(import.meta.dirname))
