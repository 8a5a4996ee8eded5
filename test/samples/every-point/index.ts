// A plugin from outside that goes through every extension point: test/journeys/plugins/every-point.test.ts asks what was called.
import {
  callerOf,
  defineOptions,
  definePlugin,
  envelope,
  errorType,
  Type,
  type PluginServices,
} from 'tollgate'
import { dialect } from './dialect.ts'
import { addNotes, notesMigration } from './notes.ts'
import { payments } from './payments.ts'
import { platform } from './platform.ts'

const seen = new Set<string>()
const see = (point: string) => void seen.add(point)

const teapot = errorType('every_point.teapot', 400, { en: 'A teapot.', zh: '茶壶。' })

export default definePlugin({
  id: 'every-point',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Goes through every extension point', zh: '经过每个扩展点' },
  consoleModule: 'console/index.js',
  options: defineOptions({
    EveryPointWord: Type.String({
      default: 'first',
      'x-ui': { tab: 'every-point', section: 'every-point' },
    }),
    EveryPointBotCheck: Type.Boolean({ default: false }),
  }),
  migrations: [
    {
      id: 'every-point-0001-start',
      up: async ({ run, prefix }) => {
        await run(`CREATE TABLE ${prefix}words (word TEXT PRIMARY KEY)`)
        await run(`INSERT INTO ${prefix}words (word) VALUES (:word)`, { word: 'migrated' })
      },
    },
    notesMigration,
  ],
  cliCommands: [
    {
      id: 'words',
      summary: 'Prints the words of the sample.',
      run: async (args, { database }, print) => {
        const rows = await wordsOf(database)
        print([...rows, ...args].join(' '))
        return 3
      },
    },
  ],
  async server(services) {
    if ((await wordsOf(services.database)).includes('migrated')) see('migrations')
    addCallPoints(services)
    addQuietPoints(services)
    addOptionActions(services)
    addImports(services)
    addListeners(services)
    addRoutes(services)
    addNotes(services)
  },
})

async function wordsOf(database: PluginServices['database']): Promise<string[]> {
  const sql = 'SELECT word FROM every_point__words'
  return (await database.select<{ word: string }>(sql)).map(({ word }) => word)
}

function addRelayHooks(relayHooks: PluginServices['relayHooks']): void {
  for (const stage of ['relay.admit', 'relay.send', 'relay.answer'] as const)
    relayHooks.add({ id: `every-${stage}`, stage, onFailure: 'open', run: () => see(stage) })
  for (const stage of ['relay.request', 'relay.observe'] as const)
    relayHooks.add({ id: `every-${stage}`, stage, onFailure: 'open', run: () => see(stage) })
  relayHooks.add({
    id: 'every-relay.text',
    stage: 'relay.text',
    onFailure: 'open',
    open: (_view, { kind }) => {
      see(`relay.text ${kind}`)
      return undefined
    },
  })
  relayHooks.add({
    id: 'every-relay.event',
    stage: 'relay.event',
    onFailure: 'open',
    open: () => (data) => {
      see('relay.event')
      return data
    },
  })
}

/** What a call to the relay passes. */
function addCallPoints({
  rateLimiters,
  relayHooks,
  responseCaches,
  routingPolicies,
  dialects,
  taskPlatforms,
  logSinks,
}: PluginServices) {
  rateLimiters.add({
    id: 'every-point',
    admit: () => Promise.resolve({ done: (isSuccess) => isSuccess && see('rateLimiters') }),
  })
  addRelayHooks(relayHooks)
  responseCaches.add({
    id: 'every-point',
    scope: 'user',
    priceShare: 0,
    applies: () => true,
    lookup: (key) => {
      see(`responseCaches lookup ${key.length}`)
      return undefined
    },
    store: (key, answer) => see(`responseCaches store ${key.length} ${answer.includes('usage')}`),
  })
  dialects.add(dialect(see))
  routingPolicies.add({
    id: 'every-point',
    applies: () => true,
    choose: (_view, candidates) => {
      see(`routingPolicies ${candidates.length}`)
      return undefined
    },
  })
  logSinks.add({
    id: 'every-point',
    write: ({ type, quota, model_name: model }) => see(`logSinks ${type} ${model} ${quota > 0}`),
  })
  taskPlatforms.add(platform(() => see('taskPlatforms')))
}

function addQuietPoints({
  authProviders,
  paymentProviders,
  botChecks,
  notifiers,
  statusFields,
  metrics,
  jobs,
  mail,
  errors,
  options,
}: PluginServices) {
  botChecks.add({
    id: 'every-point',
    isEnabled: () => options.get('EveryPointBotCheck'),
    check: (token) => {
      see(`botChecks ${token}`)
      return Promise.resolve()
    },
  })
  notifiers.add({
    id: 'every-point',
    name: { en: 'Every point', zh: '全部扩展点' },
    send: ({ title }) => {
      see(`notifiers ${title}`)
      return Promise.resolve()
    },
  })
  authProviders.add({
    id: 'every-point',
    kind: 'redirect',
    name: { en: 'Every point', zh: '全部扩展点' },
    isEnabled: () => true,
    authorizeUrl: ({ state }) => `https://example.com/authorize?state=${state}`,
    identify: ({ code, codeVerifier }) => {
      see(`authProviders ${code} ${codeVerifier !== undefined}`)
      return Promise.resolve({ subject: '1', username: 'sample-person' })
    },
  })
  paymentProviders.add(payments(see))
  metrics.add({ id: 'every_point_calls', value: () => 3 })
  statusFields.add({ id: 'every_point', value: () => seen.size })
  jobs.add({
    id: 'every-point',
    everyMs: 50,
    run: () => {
      see('jobs')
      return Promise.resolve()
    },
  })
  mail.use(({ subject }) => {
    see(`mail.use ${subject}`)
    return Promise.resolve()
  })
  errors.sendAs('every_point.teapot', 418)
}

/** Takes each row of another gateway's table as a word of its own table. */
function addImports({ imports, database }: PluginServices) {
  imports.add({
    id: 'sample_words',
    take: async (rows, { transaction, leaveOut }) => {
      let count = 0
      for await (const row of rows) {
        const word = row.text('word')
        if (word === '') {
          leaveOut('they are empty')
          continue
        }
        await database.run(
          'INSERT INTO every_point__words (word) VALUES (:word)',
          { word },
          transaction,
        )
        count += 1
      }
      return count
    },
  })
}

function addOptionActions({ optionActions }: PluginServices) {
  optionActions.add({
    id: 'every-point',
    label: { en: 'Try the word', zh: '试试这个词' },
    options: ['EveryPointWord'],
    run: (values) => {
      see(`optionActions ${values.get<string>('EveryPointWord')}`)
      return { ok: true, message: { en: 'It is a word.', zh: '是一个词。' } }
    },
  })
}

function addListeners({ events, options, cluster }: PluginServices) {
  events.on('option.changed', ({ key }) => see(`events ${key}`))
  options.onChange((key) => see(`options.onChange ${key}`))
  cluster.subscribe(
    'every-point',
    () => see('cluster.subscribe'),
    () => see('cluster.resync'),
  )
}

function addRoutes({ routes, options, cluster, mail, notifications }: PluginServices) {
  const title = { en: 'Hello', zh: '你好' }
  routes.add((app) => {
    app.get('/api/every-point', { config: { access: 'public' } }, () =>
      envelope({ seen: [...seen], word: options.get('EveryPointWord') }),
    )
    app.get('/api/every-point/checked', { config: { access: 'public', botCheck: true } }, () =>
      envelope(),
    )
    app.get('/api/every-point/refusal', { config: { access: 'public' } }, () => {
      throw teapot()
    })
    app.post('/api/every-point/tell', { config: { access: 'user' } }, async (request) => {
      const { id } = callerOf(request)
      await notifications.notify(id, { kind: 'sample', title, content: title, values: [] })
      await mail.send({ to: 'a@example.com', subject: 'Hello', html: '' })
      await cluster.publish('every-point', {})
      return envelope()
    })
  })
}
