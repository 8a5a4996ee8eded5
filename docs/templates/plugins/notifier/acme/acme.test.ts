import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  conformance,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  testGateway,
  type TestGateway,
} from 'tollgate/test'
import { textOf } from './notifier.ts'

let counterpart: ScriptedUpstream
let gateway: TestGateway

before(async () => {
  counterpart = await scriptedUpstream()
  counterpart.behave((response, { headers }) =>
    sendJson(response, {}, headers['authorization'] === 'Bearer key' ? 200 : 401),
  )
  gateway = await testGateway(import.meta.dirname, {
    options: { AcmeAddress: counterpart.url, AcmeSecret: 'key' },
  })
})

after(async () => {
  await gateway.close()
  await counterpart.close()
})

test('delivers a message', async () => {
  await gateway.root.post('/api/acme/test', {})
  assert.deepEqual(counterpart.calls.at(-1)?.body, {
    user: gateway.root.userId,
    text: 'Tollgate\nHello',
  })
})

test('says why a message was not delivered', async () => {
  await gateway.setOptions({ AcmeSecret: 'a wrong key' })
  const { success, message } = await gateway.root.call('POST', '/api/acme/test', {})
  assert.deepEqual([success, /status 401/.test(message)], [false, true])
})

test('fills the values of a notice in', () => {
  const message = { to: { userId: 1 }, language: 'en', kind: 'quota_exceed' } as const
  const content = 'left: {{value}} of {{value}}'
  assert.equal(
    textOf({ ...message, title: 'Low', content, values: ['$1', '$5'] }),
    'Low\nleft: $1 of $5',
  )
})

test('keeps the contract', () => conformance(import.meta.dirname))
