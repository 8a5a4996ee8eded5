import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { conformance, testGateway, type TestGateway } from 'tollgate/test'

let gateway: TestGateway

before(async () => {
  gateway = await testGateway(import.meta.dirname)
  // An embedded database belongs to one process at a time.
  await gateway.process.stop()
})

after(() => gateway.close())

test('finds a user, and says when there is none', async () => {
  const found = await gateway.command('acme', 'find', 'root')
  assert.match(found.output, /^1\t\d+\n$/)
  assert.deepEqual(await gateway.command('acme', 'find', 'nobody'), {
    code: 1,
    output: 'There is no user "nobody".\n',
  })
})

test('keeps the contract', () => conformance(import.meta.dirname))
