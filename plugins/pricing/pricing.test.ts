import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { pricingRoutes } from './routes.ts'

const groups = [
  { name: 'default', ratio: 1, desc: 'Default' },
  { name: 'vip', ratio: 0.8, desc: 'VIP' },
]
const pricing = {
  usableGroups: (group: string | undefined) =>
    groups.filter(({ name }) => name === 'default' || name === group),
  groupNames: () => ['default', 'secret', 'vip'],
  rows: (models: Map<string, string[]>) =>
    [...models].map(([model_name, enable_groups]) => ({ model_name, enable_groups })),
}
const channels = {
  groupsOfModels: async () =>
    new Map([
      ['gpt-4o', ['default', 'vip', 'secret']],
      ['o3', ['secret']],
    ]),
}

async function ask(url: string, group?: string) {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  app.decorateRequest('caller', null)
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = group === undefined ? null : ({ id: 1, group } as typeof request.caller)
    done()
  })
  pricingRoutes(app, { channels, pricing })
  const answer = await app.inject({ url })
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

  it('has the names of all groups for admins', async () => {
    const answer = { success: true, message: '', data: ['default', 'secret', 'vip'] }
    expect(await ask('/api/group/')).toEqual(answer)
    expect(await ask('/api/group')).toEqual(answer)
  })
})
