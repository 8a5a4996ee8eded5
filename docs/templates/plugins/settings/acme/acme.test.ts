import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { conformance, testGateway, type TestGateway } from 'tollgate/test'

let gateway: TestGateway

before(async () => {
  gateway = await testGateway(import.meta.dirname)
})

after(() => gateway.close())

test('greets as the options say, from the moment that they are saved', async () => {
  assert.equal(await gateway.root.get('/api/acme'), '')
  await gateway.setOptions({
    AcmeEnabled: true,
    AcmeTone: 'friendly',
    AcmeText: 'Good day, %',
  })
  assert.equal(await gateway.root.get('/api/acme'), 'Good day, root!')
})

test('refuses what schema and check refuse, with a sentence', async () => {
  const save = (key: string, value: string) =>
    gateway.root.call('PUT', '/api/option/', { key, value })
  assert.equal((await save('AcmeTone', 'loud')).success, false)
  assert.match((await save('AcmeText', 'Hello')).message, /The text needs/)
})

test('tries what is typed, and saves nothing of it', async () => {
  const press = (input: string) =>
    gateway.root.post<{ ok: boolean; message: string }>('/api/option/action', {
      id: 'acme-try',
      values: { AcmeText: 'Welcome, %' },
      input,
    })
  assert.deepEqual(await press('Ada'), { ok: true, message: 'Welcome, Ada!', details: [] })
  assert.equal((await press('')).ok, false)
  assert.equal(await gateway.root.get('/api/acme'), 'Good day, root!')
})

test('tells everybody whether it is on', async () => {
  const answer = await fetch(`${gateway.url}/api/status`)
  const { data } = (await answer.json()) as { data: Record<string, unknown> }
  assert.equal(data['acme_enabled'], true)
})

test('keeps the contract', () => conformance(import.meta.dirname))
