import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  ApiClient,
  conformance,
  rootAccount,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  testGateway,
  type TestGateway,
} from 'tollgate/test'

let counterpart: ScriptedUpstream
let gateway: TestGateway

before(async () => {
  counterpart = await scriptedUpstream()
  counterpart.behave((response, { body }) =>
    sendJson(response, { human: body['token'] === 'good' }),
  )
  gateway = await testGateway(import.meta.dirname, {
    options: { AcmeAddress: counterpart.url, AcmeSecret: 'key', AcmeEnabled: true },
  })
})

after(async () => {
  await gateway.close()
  await counterpart.close()
})

const signIn = (token: string) =>
  new ApiClient(gateway.url).call('POST', `/api/user/login?turnstile=${token}`, rootAccount)

test('lets nobody sign in whose token is not good', async () => {
  assert.equal((await signIn('')).success, false)
  assert.equal((await signIn('guessed')).success, false)
  assert.equal((await signIn('good')).success, true)
})

test('tells the console that it is on', async () => {
  const status = await gateway.root.get<Record<string, unknown>>('/api/status')
  assert.equal(status['acme_check'], true)
})

test('keeps the contract', () => conformance(import.meta.dirname))
