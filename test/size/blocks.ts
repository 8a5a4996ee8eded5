// How long the event loop stands still while channels and plugins change, and while what depends on them is told for the first time.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { App } from '../harness/app.ts'
import { addChannel, setPrice } from '../harness/shop.ts'
import { workOnManyModels } from './many-models.ts'

const EDITS = 20
const DISABLED = 10
const SWITCHES = 3
/** Between two looks of the gateway at its event loop; part of each delay that it states. */
const LOOK_MS = 10

export interface Work {
  name: string
  run(): Promise<unknown>
}

/** In milliseconds, the longest of each kind of work. Beside other programs it counts what they took, too. */
export async function printBlocks(
  app: App,
  { metricsToken, key, print }: { metricsToken: string; key: string; print(line: string): void },
): Promise<void> {
  const refusing = await startRefusingUpstream()
  try {
    print('event loop held, longest:')
    const disabled = await disabling(app, refusing.url, key)
    for (const { name, run } of [...edits(app), disabled, ...workOnManyModels(app, key)]) {
      const ms = await blockedBy(app, metricsToken, run)
      print(`  ${name.padEnd(46)} ${ms} ms`)
    }
  } finally {
    refusing.close()
  }
}

function edits(app: App): Work[] {
  const each = (work: (number: number) => Promise<unknown>, count: number) => async () => {
    for (let number = 1; number <= count; number += 1) await work(number)
  }
  const put = (channel: object) => app.root.put('/api/channel/', channel)
  const both = (id: string) => async () => {
    await app.root.switchPlugin(id, false)
    await app.root.switchPlugin(id, true)
  }
  return [
    {
      name: `${EDITS} edits of a channel`,
      run: each((id) => put({ id, name: `renamed ${id}`, priority: id }), EDITS),
    },
    {
      name: 'the prices, the first time after an edit',
      run: each(async (id) => {
        await put({ id, models: `new-${id},model-1` })
        await app.root.get('/api/pricing')
      }, SWITCHES),
    },
    {
      name: 'all channels of a tag, off and on',
      run: async () => {
        await app.root.post('/api/channel/tag/disabled', { tag: 'tag-7' })
        await app.root.post('/api/channel/tag/enabled', { tag: 'tag-7' })
      },
    },
    { name: 'a plugin, off and on', run: each(both('redemptions'), SWITCHES) },
    { name: 'the adapter of all channels, off and on', run: both('openai') },
  ]
}

/** Channels whose upstream refuses their key, each called once. */
async function disabling(app: App, url: string, key: string): Promise<Work> {
  await app.root.put('/api/option/', { key: 'AutomaticDisableChannelEnabled', value: 'true' })
  const models = Array.from({ length: DISABLED }, (_, at) => `refused-${at}`)
  const ids: number[] = []
  for (const model of models) {
    await setPrice(app.root, model, 1)
    ids.push(await addChannel(app.root, { base_url: url, models: model }))
  }
  const isDisabled = async (id: number) =>
    (await app.root.get<{ status: number }>(`/api/channel/${id}`)).status === 3
  return {
    name: `${DISABLED} channels disabled automatically`,
    run: async () => {
      for (const model of models) await call(app, key, model)
      for (const id of ids) while (!(await isDisabled(id))) await wait(50)
    },
  }
}

async function call(app: App, key: string, model: string): Promise<void> {
  const answer = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await answer.arrayBuffer()
}

async function startRefusingUpstream() {
  const error = { message: 'Incorrect API key provided', code: 'invalid_api_key' }
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function blockedBy(
  app: App,
  metricsToken: string,
  work: () => Promise<unknown>,
): Promise<number> {
  // What a look itself takes is in the next one, and the first of all compiles.
  for (let look = 0; look < 3; look += 1) await longestLag(app, metricsToken)
  await work()
  return longestLag(app, metricsToken)
}

/** By `monitorEventLoopDelay` in the gateway. Reading it starts it anew. */
async function longestLag(app: App, metricsToken: string): Promise<number> {
  const answer = await fetch(`${app.url}/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}` },
  })
  const line = /^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await answer.text())
  return Math.max(0, Math.round(Number(line?.[1]) * 1000) - LOOK_MS)
}
