import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  conformance,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  signInAt,
  testGateway,
  type TestGateway,
} from 'tollgate/test'

let counterpart: ScriptedUpstream
let gateway: TestGateway
const person = { id: 7, login: 'ada', name: 'Ada', email: 'ada@example.com', email_verified: true }

before(async () => {
  counterpart = await scriptedUpstream()
  // The counterpart: one good code, one person.
  counterpart.behave((response, { path, sent, headers }) => {
    if (path === '/token') {
      const isGood = new URLSearchParams(sent).get('code') === 'good'
      sendJson(response, isGood ? { access_token: 'token' } : { error: 'invalid_grant' })
    } else if (headers['authorization'] === 'Bearer token') sendJson(response, person)
    else sendJson(response, {}, 401)
  })
  gateway = await testGateway(import.meta.dirname, {
    options: {
      AcmeAddress: counterpart.url,
      AcmeClientId: 'our-client',
      AcmeClientSecret: 'our-secret',
      AcmeEnabled: true,
    },
  })
})

after(async () => {
  await gateway.close()
  await counterpart.close()
})

test('signs a person in, and knows her again', async () => {
  const agree = (page: URL) => {
    assert.equal(page.searchParams.get('client_id'), 'our-client')
    return { code: 'good' }
  }
  const first = await signInAt(gateway, 'acme', agree)
  assert.equal(first.success, true, first.message)
  const again = await signInAt(gateway, 'acme', agree)
  assert.equal(again.data?.id, first.data?.id)
})

test('lets nobody in with a code that the provider does not know', async () => {
  const { success, message } = await signInAt(gateway, 'acme', () => ({ code: 'stolen' }))
  assert.equal(success, false)
  assert.match(message, /did not accept the code/)
})

test('keeps the contract', () => conformance(import.meta.dirname))
