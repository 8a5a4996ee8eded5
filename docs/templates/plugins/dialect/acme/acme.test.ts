import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  conformance,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  testGateway,
  type TestGateway,
} from 'tollgate/test'

let upstream: FakeUpstream
let gateway: TestGateway
let ada: Customer

before(async () => {
  upstream = await fakeUpstream({ answer: (prompt) => `You said ${prompt}` })
  gateway = await testGateway(import.meta.dirname)
  // Channel type 1 is OpenAI, 14 Anthropic: every model of every channel is served.
  await gateway.addChannel({ base_url: upstream.url, models: 'a-model' })
  await gateway.addChannel({ base_url: upstream.url, models: 'b-model', type: 14 })
  ada = await gateway.addCustomer('ada')
})

after(async () => {
  await gateway.close()
  await upstream.close()
})

const talk = [{ who: 'me', words: 'Hello' }]

for (const model of ['a-model', 'b-model'])
  test(`answers with ${model}, whole and streamed`, async () => {
    const whole = await gateway.call(ada, '/acme/talk', { model, talk })
    const tokens = { in: 10, out: 5 }
    assert.deepEqual(await whole.json(), { words: 'You said Hello', end: 'done', tokens })
    const streamed = await gateway.call(ada, '/acme/talk', { model, talk, stream: true })
    const told = (await streamed.text())
      .split('\n\n')
      .filter((event) => event.startsWith('data: '))
      .map((event) => JSON.parse(event.slice(6)) as { words?: string })
    assert.equal(told.map(({ words = '' }) => words).join(''), 'You said Hello')
    assert.deepEqual(told.at(-1), { end: 'done', tokens })
  })

test('refuses in its own words', async () => {
  const before = upstream.callCount
  const unread = await gateway.call(ada, '/acme/talk', { model: 'a-model', talk: [1] })
  assert.equal(unread.status, 400)
  assert.match(((await unread.json()) as { problem: string }).problem, /“talk”/)
  const unknown = await gateway.call(ada, '/acme/talk', { model: 'no-model', talk })
  assert.match(((await unknown.json()) as { problem: string }).problem, /no-model/)
  assert.equal(upstream.callCount, before)
})

test('takes the key from its own header', async () => {
  const body = JSON.stringify({ model: 'a-model', talk })
  const call = (key: string) => {
    const headers = { 'content-type': 'application/json', 'x-acme-key': key }
    return fetch(`${gateway.url}/acme/talk`, { method: 'POST', headers, body })
  }
  assert.equal((await call(ada.key)).status, 200)
  assert.equal((await call('sk-nobody')).status, 401)
})

test('keeps the contract', () => conformance(import.meta.dirname))
