import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  conformance,
  eventually,
  fakeUpstream,
  type FakeUpstream,
  testGateway,
  type TestGateway,
} from 'tollgate/test'

const folder = mkdtempSync(join(tmpdir(), 'acme-'))
const file = join(folder, 'rows.jsonl')
let upstream: FakeUpstream
let gateway: TestGateway

before(async () => {
  upstream = await fakeUpstream()
  gateway = await testGateway(import.meta.dirname, { env: { ACME_FILE: file } })
})

after(async () => {
  await gateway.close()
  await upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

test('writes the row of each call', async () => {
  await gateway.addChannel({ base_url: upstream.url, models: 'a-model' })
  const customer = await gateway.addCustomer('ada')
  const messages = [{ role: 'user', content: 'Hello' }]
  await gateway.call(customer, '/v1/chat/completions', { model: 'a-model', messages })
  await eventually(() => {
    const rows = readFileSync(file, 'utf8').trim().split('\n')
    const row = rows.map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.ok(row.some((one) => one['username'] === 'ada' && one['model_name'] === 'a-model'))
  })
})

test('keeps the contract', () => conformance(import.meta.dirname))
