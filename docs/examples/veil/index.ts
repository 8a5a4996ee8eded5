// Veil hides personal data from upstreams: what looks like an address, a number of a card, of a phone or of an account becomes a mark on its way out, and the mark becomes
// what it stood for on its way back, in streams too.
import { defineOptions, definePlugin, envelope, Type } from 'tollgate/contract'
import { Counts } from './counts.ts'
import { isKind, kinds } from './find.ts'
import { hooks } from './hooks.ts'
import { migrations } from './migrations.ts'

const place = { tab: 'operation', section: 'veil' }
const whileOn = { ...place, showIf: { VeilEnabled: true } }

export default definePlugin({
  id: 'veil',
  version: '1.0.0',
  contract: '^1.3',
  summary: {
    en: 'Hides personal data from upstreams, and puts it back into answers',
    zh: '对上游隐藏个人信息，并在回答中还原',
  },
  asks: {
    services: ['relayHooks', 'routes', 'jobs', 'options', 'database'],
    routes: ['/api/veil'],
  },
  consoleModule: './dist/console.js',
  migrations,
  options: defineOptions(
    {
      VeilEnabled: Type.Boolean({ default: true, 'x-ui': { ...place, order: 10 } }),
      VeilKinds: Type.String({
        default: kinds.join(','),
        maxLength: 200,
        'x-ui': { ...whileOn, order: 20, widget: 'tags' },
      }),
      VeilFreeGroups: Type.String({
        default: '',
        maxLength: 1000,
        'x-ui': { ...whileOn, order: 30, widget: 'tags' },
      }),
      VeilStrict: Type.Boolean({ default: false, 'x-ui': { ...whileOn, order: 40 } }),
    },
    { check: (key, value) => (key === 'VeilKinds' ? unknownKind(String(value)) : undefined) },
  ),
  server({ relayHooks, routes, jobs, options, database }) {
    const counts = new Counts(database)
    for (const hook of hooks(options, counts)) relayHooks.add(hook)
    // Calls do not wait for the table.
    jobs.add({ id: 'veil', everyMs: 2_000, run: () => counts.write() })
    routes.add((app) => {
      app.get('/api/veil', { config: { access: 'admin' } }, async () => {
        await counts.write()
        return envelope(await counts.byDay(30))
      })
    })
    return () => counts.write()
  },
})

function unknownKind(list: string) {
  const wrong = list.split(',').find((word) => word.trim() !== '' && !isKind(word.trim()))
  if (wrong === undefined) return undefined
  const all = kinds.join(', ')
  return {
    en: `"${wrong.trim()}" is none of ${all}.`,
    zh: `“${wrong.trim()}”不在可选范围内：${all}。`,
  }
}
