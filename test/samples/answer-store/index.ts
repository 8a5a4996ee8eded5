// A plugin from outside that keeps answers and chooses channels: core/relay/cache/response-cache.test.ts and core/relay/attempt/routing-policy.test.ts
// ask what came of it.
import { definePlugin, envelope, type PluginServices, type RouteCandidate } from 'tollgate'

const kept = new Map<string, string>()
const shown: RouteCandidate[][] = []

const spoilt = {
  shape: () => '{"kind":"chat","events":7}',
  events: (answer: string) => JSON.stringify({ ...JSON.parse(answer), events: [{ type: 'odd' }] }),
  /** Of another question. */
  mixed: (_answer: string, first: string) => first,
}

export default definePlugin({
  id: 'answer-store',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Keeps answers and chooses channels', zh: '缓存回答并选择渠道' },
  server(services) {
    addCaches(services)
    addPolicies(services)
    services.routes.add((app) => {
      app.get('/api/answer-store', { config: { access: 'admin' } }, () =>
        envelope({ kept: [...kept.values()], shown: shown.splice(0) }),
      )
      app.post<{ Querystring: { how: keyof typeof spoilt } }>(
        '/api/answer-store/spoil',
        { config: { access: 'admin' } },
        ({ query }) => {
          const [first = ''] = kept.values()
          for (const [key, answer] of kept) kept.set(key, spoilt[query.how](answer, first))
          return envelope()
        },
      )
    })
  },
})

function addCaches({ responseCaches }: PluginServices): void {
  for (const scope of ['token', 'user', 'everyone'] as const)
    responseCaches.add({
      id: scope,
      scope,
      priceShare: scope === 'user' ? () => 0.25 : 0,
      maxChars: 2_000,
      applies: ({ model }) => model.endsWith(`-${scope}`),
      lookup: (key) => Promise.resolve(kept.get(key)),
      store: (key, answer) => void kept.set(key, answer),
    })
  responseCaches.add({
    id: 'broken',
    scope: 'user',
    priceShare: 0,
    deadlineMs: 20,
    applies: ({ model }) => model.endsWith('-broken'),
    lookup: (_key, { isStream }) => {
      if (isStream) return new Promise(() => undefined)
      throw new Error('the store is away')
    },
    store: () => Promise.reject(new Error('the store is away')),
  })
}

function addPolicies({ routingPolicies }: PluginServices): void {
  routingPolicies.add({
    id: 'throws',
    order: 1,
    applies: ({ model }) => model === 'routed-last',
    choose: () => {
      throw new Error('no idea')
    },
  })
  routingPolicies.add({
    id: 'last',
    applies: ({ model }) => model === 'routed-last',
    choose: (_view, candidates) => {
      shown.push([...candidates])
      return { order: candidates.map(({ id }) => id).toReversed() }
    },
  })
  routingPolicies.add({
    id: 'second',
    applies: ({ model }) => model === 'routed-weights',
    choose: (_view, candidates) => ({ weights: new Map([[candidates[1]?.id ?? 0, 1]]) }),
  })
  routingPolicies.add({
    id: 'nothing',
    applies: ({ model }) => model === 'routed-nothing',
    choose: () => undefined,
  })
}
