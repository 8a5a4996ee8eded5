// A plugin from outside that has calls wait until the test lets them go: core/relay/call/unsent-calls.test.ts has their clients leave meanwhile.
import { definePlugin, envelope } from 'tollgate'

const waiting: (() => void)[] = []

export default definePlugin({
  id: 'slow-gate',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Has calls wait', zh: '让请求等待' },
  server({ relayHooks, routes }) {
    for (const stage of ['relay.admit', 'relay.send'] as const)
      relayHooks.add({
        id: stage,
        stage,
        onFailure: 'closed',
        deadlineMs: 20_000,
        applies: ({ model }) =>
          model === stage || (stage === 'relay.send' && model === 'mj_imagine'),
        run: () => new Promise<void>((resolve) => void waiting.push(resolve)),
      })
    routes.add((app) => {
      app.get('/api/slow-gate/waiting', { config: { access: 'admin' } }, () =>
        envelope(waiting.length),
      )
      app.get('/api/slow-gate/open', { config: { access: 'admin' } }, () => {
        for (const resolve of waiting.splice(0)) resolve()
        return envelope(null)
      })
    })
  },
})
