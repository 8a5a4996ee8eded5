// A channel of many models with a price each, and what is reported from memory after a change of them.
import { addChannel } from '../harness/shop.ts'
import type { App } from '../harness/app.ts'
import type { Work } from './blocks.ts'

const MODELS = 10_000
const GROUPS = 200
const ASKS = 10

/** To be run in this order. */
export function workOnManyModels(app: App, key: string): Work[] {
  const names = Array.from({ length: MODELS }, (_, at) => `many-${(at * 7_919) % MODELS}`)
  const priced = (ratio: number) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, ratio])))
  const save = (option: string, ratio: number) =>
    app.root.put('/api/option/', { key: option, value: priced(ratio) })
  const each = (ask: () => Promise<unknown>) => async () => {
    for (let count = 0; count < ASKS; count += 1) await ask()
  }
  return [
    {
      name: `a channel of ${MODELS} models`,
      run: () => addChannel(app.root, { base_url: 'http://127.0.0.1:9', models: names.join(',') }),
    },
    {
      name: 'their prices, saved',
      run: async () => {
        await save('ModelRatio', 2)
        await save('CompletionRatio', 3)
      },
    },
    { name: 'the price list, the first time after that', run: () => app.root.get('/api/pricing') },
    { name: '/api/user/models', run: each(() => app.root.get('/api/user/models')) },
    { name: '/v1/models', run: each(() => listModels(app, key)) },
    {
      name: `a channel of ${MODELS} models in ${GROUPS} groups`,
      run: () =>
        addChannel(app.root, {
          base_url: 'http://127.0.0.1:9',
          models: names.join(','),
          group: Array.from({ length: GROUPS }, (_, at) => `group-${at}`).join(','),
        }),
    },
    {
      name: `the price list of ${GROUPS} groups, the first time`,
      run: () => app.root.get('/api/pricing'),
    },
  ]
}

async function listModels(app: App, key: string): Promise<void> {
  const answer = await fetch(`${app.url}/v1/models`, {
    headers: { authorization: `Bearer ${key}` },
  })
  await answer.arrayBuffer()
}
