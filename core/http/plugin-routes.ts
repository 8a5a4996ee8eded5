import { createReadStream, existsSync, realpathSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type, type Static } from '@sinclair/typebox'
import { callerOf, envelope } from '../contract/http.ts'
import { manageRow } from '../contract/manage-row.ts'
import type { LogService } from '../contract/services.ts'
import type { PluginHost } from '../kernel/host/plugin-host.ts'
import { pluginUnknown } from '../kernel/host/plugin-refusals.ts'

const switchBody = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  enabled: Type.Boolean(),
  /** The hash of what the plugin asks for, as a confirmation that the caller has seen it. */
  confirm: Type.Optional(Type.String({ maxLength: 64 })),
})

const asksQuery = Type.Object({ version: Type.Optional(Type.String({ maxLength: 64 })) })

const unparkBody = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) })

const assetTypes: ReadonlyMap<string, string> = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
])

interface Deps {
  host: () => PluginHost
  logs: LogService
}

export function pluginRoutes(app: FastifyInstance, deps: Deps): void {
  const config = { access: 'options' } as const
  const listed = { summary: 'List all plugins and adapters, with state, versions and requirements' }
  app.get('/api/plugin', { config, schema: listed }, (request) =>
    envelope(deps.host().list(request.language)),
  )

  const loaded = {
    summary: 'List the plugins that are on, with the console module of external ones',
  }
  app.get('/api/plugin/console', { config: { access: 'public' }, schema: loaded }, () =>
    envelope(consoleModules(deps.host())),
  )

  app.get<{ Params: { id: string } }>(
    '/api/plugin/:id',
    { config, schema: { summary: 'Show a plugin or adapter with the schema of its options' } },
    (request) => {
      const { id } = request.params
      const row = rowOf(request, deps, id)
      const found = deps.host().manifest(id)
      if (!row || !found) throw pluginUnknown({ id: id.slice(0, 80) })
      const { manifest } = found
      const schema = manifest?.kind === 'plugin' ? manifest.options?.schema : manifest?.settings
      return envelope({ ...row, schema: schema ?? null })
    },
  )

  app.get<{ Params: { id: string }; Querystring: Static<typeof asksQuery> }>(
    '/api/plugin/:id/asks',
    {
      config,
      schema: {
        summary: 'Show what a plugin asks for, and the hash to confirm it with',
        querystring: asksQuery,
      },
    },
    async (request) =>
      envelope(await deps.host().asks(request.params.id, request.query.version || undefined)),
  )

  switchRoute(app, deps)
  unparkRoute(app, deps)
  assetRoute(app, deps.host)
}

function switchRoute(app: FastifyInstance, deps: Deps): void {
  app.put<{ Body: Static<typeof switchBody> }>(
    '/api/plugin',
    {
      config: { access: 'options' },
      schema: {
        summary: 'Switch a plugin on or off; answers once the change serves',
        body: switchBody,
      },
    },
    async (request) => {
      const { id, enabled, confirm } = request.body
      const switched = await deps.host().setEnabled(id, enabled, confirm)
      notePluginChange(request, deps.logs, {
        content: `Plugin ${id} was switched ${enabled ? 'on' : 'off'}`,
        id,
        enabled,
      })
      return envelope(rowOf(request, deps, id) ?? switched)
    },
  )
}

function unparkRoute(app: FastifyInstance, deps: Deps): void {
  app.post<{ Body: Static<typeof unparkBody> }>(
    '/api/plugin/unpark',
    {
      config: { access: 'options' },
      schema: {
        summary: 'Forget the failures of a plugin, and try it again if it is on',
        body: unparkBody,
      },
    },
    async (request) => {
      const { id } = request.body
      const unparked = await deps.host().unpark(id)
      const content = `Plugin ${id} was unparked`
      notePluginChange(request, deps.logs, { content, id, unparked: true })
      return envelope(rowOf(request, deps, id) ?? unparked)
    },
  )
}

/** As lists show it, in the language of the request. */
function rowOf({ language }: FastifyRequest, { host }: Deps, id: string) {
  return host()
    .list(language)
    .find((plugin) => plugin.id === id)
}

/** Writes the log row of what somebody has changed about a plugin; `facts` are for programs. */
export function notePluginChange(
  request: FastifyRequest,
  logs: LogService,
  { content, ...facts }: { content: string; id: string; [fact: string]: unknown },
): void {
  logs.write(manageRow(callerOf(request), content, { op: 'plugin', ...facts }))
}

function assetRoute(app: FastifyInstance, host: () => PluginHost): void {
  app.get<{ Params: { id: string; '*': string } }>('/plugin-assets/:id/*', (request, reply) => {
    const file = assetOf(host(), request.params.id, request.params['*'])
    const type = file && assetTypes.get(extname(file))
    if (!file || !type) return reply.callNotFound()
    return reply
      .header('content-type', type)
      .header('cache-control', 'no-cache')
      .header('x-content-type-options', 'nosniff')
      .send(createReadStream(file))
  })
}

/** What the console loads: built-in plugins by id, others by the address of their module. */
function consoleModules(host: PluginHost): { id: string; module: string | null }[] {
  return host.current.contributions.plugins.map((plugin) => {
    const found = host.manifest(plugin.id)?.found
    const isExternal = found !== undefined && found.source !== 'built-in'
    // Each version has its own addresses, so that an open page keeps loading the files that it began with.
    const name = found?.version === undefined ? plugin.id : `${plugin.id}@${found.version}`
    const module =
      isExternal && plugin.consoleModule
        ? `/plugin-assets/${name}/${plugin.consoleModule.replace(/^\.\//, '')}`
        : null
    return { id: plugin.id, module }
  })
}

/** A file in the console folder of an external plugin; paths cannot lead out of the folder. */
function assetOf(host: PluginHost, name: string, path: string): string | undefined {
  const [id = '', version] = name.split('@', 2)
  const known = host.manifest(id, version)
  if (
    known?.manifest?.kind !== 'plugin' ||
    !known.manifest.consoleModule ||
    known.found.source === 'built-in' ||
    // The folder may be missing for a moment while somebody replaces it.
    !existsSync(known.found.folder)
  )
    return undefined
  const [top = ''] = known.manifest.consoleModule.replace(/^\.\//, '').split('/')
  const folder = realpathSync(known.found.folder)
  const file = join(folder, path)
  if (!existsSync(file)) return undefined
  const real = realpathSync(file)
  const isInside = real.startsWith(join(folder, top) + sep) || real === join(folder, top)
  return isInside ? real : undefined
}
