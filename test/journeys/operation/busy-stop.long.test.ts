// SIGTERM on a machine so busy that the counting of what was delivered takes longer than the last words may: they are said all the same.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addChannel, addCustomer, consumptionRows, setPrice } from '#test'
import { type App, startApp } from '../../harness/app.ts'
import { chunk } from '../../harness/chat-chunks.ts'
import {
  flushed,
  type ScriptedUpstream,
  scriptedUpstream,
  writeEvents,
} from '../../harness/scripted-upstream.ts'

const slowTables = fileURLToPath(new URL('../../harness/faults/slow-tables.cjs', import.meta.url))
const model = 'm'
let app: App
let upstream: ScriptedUpstream

beforeAll(async () => {
  upstream = await scriptedUpstream()
  app = await startApp({ env: { SHUTDOWN_SECONDS: '1', NODE_OPTIONS: `--require=${slowTables}` } })
  await setPrice(app.root, model, 1)
  await addChannel(app.root, { base_url: upstream.url, models: model })
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

it('tells each open stream why it ends, and books it', async () => {
  const customer = await addCustomer(app.root, 'reader', 1_000_000)
  upstream.behave(async (response) => {
    writeEvents(response, [chunk('one two three')])
    await flushed(response)
  })
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      fetch(`${app.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model,
          stream: true,
          messages: [{ role: 'user', content: 'Hi' }],
        }),
      }),
    ),
  )
  const stopped = app.process.stop()
  const texts = await Promise.all(answers.map((answer) => answer.text().catch(() => 'broken off')))
  expect(texts.filter((text) => !text.includes('gateway_stopping'))).toEqual([])
  expect(await stopped).toBe(0)
  await app.restart()
  const rows = await consumptionRows(app.root, customer.username)
  expect(rows.map(({ other }) => (JSON.parse(other) as { end?: string }).end)).toEqual(
    Array.from({ length: 4 }, () => 'gateway_stopped'),
  )
}, 90_000)
