import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  conformance,
  eventually,
  fakeUpstream,
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

/** What the button of the settings page does. */
const tryOut = () =>
  gateway.root.call<{ ok: boolean; message: string }>('POST', '/api/option/action', {
    id: 'acme-test',
    values: {},
  })

test('delivers a notice to whoever chose it', async () => {
  await gateway.setOptions({ QuotaRemindThreshold: 1_000_000 })
  const upstream = await fakeUpstream()
  try {
    await gateway.addChannel({ base_url: upstream.url, models: 'a-model' })
    const ada = await gateway.addCustomer('ada', 500_000)
    await ada.client.put('/api/user/setting', { notify_type: 'acme' })
    const messages = [{ role: 'user', content: 'Hello' }]
    await gateway.call(ada, '/v1/chat/completions', { model: 'a-model', messages })
    await eventually(() => {
      const { user, text } = counterpart.calls.at(-1)?.body ?? {}
      assert.equal(user, ada.id)
      assert.match(String(text), /running out/)
    }, 10_000)
  } finally {
    await upstream.close()
  }
})

test('tries its settings out, and says what is wrong', async () => {
  assert.equal((await tryOut()).data.ok, true)
  await gateway.setOptions({ AcmeSecret: 'a wrong key' })
  const { ok, message } = (await tryOut()).data
  assert.deepEqual([ok, message], [false, 'Acme answered 401.'])
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
