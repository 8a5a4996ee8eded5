import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { pricingRoutes } from './routes.ts'

const groups = [
  { name: 'default', ratio: 1, desc: 'Default' },
  { name: 'vip', ratio: 0.8, desc: 'VIP' },
]
const pricing = {
  revision: 1,
  usableGroups: (group: string | undefined) =>
    groups.filter(({ name }) => name === 'default' || name === group),
  groupNames: () => ['default', 'secret', 'vip'],
  rows: (models: Map<string, string[]>) =>
    [...models].map(([model_name, enable_groups]) => ({ model_name, enable_groups })),
}
const offer = new Map([
  ['gpt-4o', ['default', 'vip', 'secret']],
  ['o3', ['secret']],
])
const channels = { groupsOfModels: async () => offer }
const options = { get: (key: string) => ({ [key]: 10 }) as never }

/** The header `group` says who asks. */
function createShop(changes: { channels?: typeof channels; pricing?: typeof pricing } = {}) {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  app.decorateRequest('caller', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const { group } = request.headers
    request.caller = group === undefined ? null : ({ id: 1, group } as typeof request.caller)
    done()
  })
  pricingRoutes(app, { channels, pricing, options, ...changes })
  return app
}

async function ask(url: string, group?: string) {
  const app = createShop()
  const answer = await app.inject({ url, headers: group === undefined ? {} : { group } })
  await app.close()
  return answer.json()
}

describe('the price list', () => {
  it.each([
    [undefined, ['default'], { default: 1 }, { default: 'Default' }],
    ['vip', ['default', 'vip'], { default: 1, vip: 0.8 }, { default: 'Default', vip: 'VIP' }],
  ])(
    'shows group %s the models and the groups that it may use',
    async (group, names, ratios, texts) => {
      expect(await ask('/api/pricing', group)).toEqual({
        success: true,
        message: '',
        data: [
          { model_name: 'gpt-4o', enable_groups: names },
          { model_name: 'o3', enable_groups: [] },
        ],
        group_ratio: ratios,
        usable_group: texts,
      })
    },
  )

  it('has what tools cost, for visitors too', async () => {
    const data = { 'tool_price_setting.prices': 10 }
    expect(await ask('/api/pricing/tools')).toEqual({ success: true, message: '', data })
  })

  it('has the names of all groups for admins', async () => {
    const answer = { success: true, message: '', data: ['default', 'secret', 'vip'] }
    expect(await ask('/api/group/')).toEqual(answer)
    expect(await ask('/api/group')).toEqual(answer)
  })

  it('is sent again only when it has changed since, and to each group its own', async () => {
    const prices = { ...pricing, ratio: 1 }
    prices.rows = (models) =>
      [...models.keys()].map((model_name) => ({ model_name, ratio: prices.ratio }) as never)
    let models = new Map([['m', ['default']]])
    const app = createShop({ channels: { groupsOfModels: async () => models }, pricing: prices })
    const read = async (headers: Record<string, string> = {}) => {
      const {
        statusCode,
        headers: received,
        body,
      } = await app.inject({ url: '/api/pricing', headers })
      return { statusCode, etag: String(received['etag']), cache: received['cache-control'], body }
    }
    const first = await read()
    expect(first).toMatchObject({ statusCode: 200, cache: 'private, no-cache' })
    const known = { 'if-none-match': `"other", ${first.etag}` }
    expect(await read(known)).toMatchObject({ statusCode: 304, body: '' })
    expect((await read({ ...known, group: 'vip' })).statusCode).toBe(200)

    prices.ratio = 2
    prices.revision += 1
    const dearer = await read(known)
    expect(dearer.statusCode).toBe(200)
    expect(JSON.parse(dearer.body)).toMatchObject({ data: [{ model_name: 'm', ratio: 2 }] })

    models = new Map([['n', ['default']]])
    const other = await read({ 'if-none-match': dearer.etag })
    expect(JSON.parse(other.body)).toMatchObject({ data: [{ model_name: 'n', ratio: 2 }] })
    await app.close()
  })

  it('writes a few thousand names of groups at a time, and lets others have their turn', async () => {
    const written: number[] = []
    const prices = { ...pricing }
    prices.rows = (models) => {
      written.push([...models.values()].flat().length)
      return pricing.rows(models)
    }
    const names = Array.from({ length: 300 }, (_, at) => `g${at}`)
    prices.usableGroups = () => names.map((name) => ({ name, ratio: 1, desc: name }))
    const many = new Map(Array.from({ length: 100 }, (_, at) => [`m-${at}`, names]))
    const app = createShop({ channels: { groupsOfModels: async () => many }, pricing: prices })
    const { data } = (await app.inject({ url: '/api/pricing' })).json<{
      data: { enable_groups: string[] }[]
    }>()
    expect(data.map(({ enable_groups }) => enable_groups.length)).toEqual(Array(100).fill(300))
    expect(Math.max(...written)).toBeLessThan(11_000)
    await app.close()
  })

  it('has the prices of one moment, however many models there are', async () => {
    const prices = { ...pricing, ratio: 1 }
    prices.rows = (models) => {
      const rows = [...models.keys()].map((model_name) => ({ model_name, ratio: prices.ratio }))
      // While the first are being written.
      if (prices.ratio === 1) {
        prices.ratio = 2
        prices.revision += 1
      }
      return rows as never
    }
    const many = new Map(Array.from({ length: 900 }, (_, at) => [`m-${at}`, ['default']]))
    const app = createShop({ channels: { groupsOfModels: async () => many }, pricing: prices })
    const { data } = (await app.inject({ url: '/api/pricing' })).json<{
      data: { ratio: number }[]
    }>()
    expect([data.length, ...new Set(data.map(({ ratio }) => ratio))]).toEqual([900, 2])
    await app.close()
  })
})
