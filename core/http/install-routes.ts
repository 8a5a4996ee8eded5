// Routes that install, upgrade and uninstall plugins: for the super admin only, and for nobody on a demo site.
import { Type, type Static } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorType } from '../contract/errors.ts'
import { envelope } from '../contract/http.ts'
import type { LogService } from '../contract/services.ts'
import { notePluginChange } from './plugin-routes.ts'
import { refuse } from '../installs/install-errors.ts'
import type { Installer, InstallSource } from '../installs/installer.ts'
import type { Uninstaller } from '../installs/uninstaller.ts'
import type { PluginFacts } from '../kernel/manifest/plugin-facts.ts'
import type { PluginHost } from '../kernel/host/plugin-host.ts'

const demoClosed = errorType('plugins.demo', 405, {
  en: 'On a demo site plugins are installed by the command tollgate plugin only.',
  zh: '演示站点只能通过 tollgate plugin 命令安装插件。',
})

const pluginId = Type.String({ minLength: 1, maxLength: 64 })
const pluginVersion = Type.String({ minLength: 1, maxLength: 64 })

const installBody = Type.Union([
  Type.Object({
    from: Type.Literal('folder'),
    path: Type.String({ minLength: 1, maxLength: 1024 }),
  }),
  Type.Object({ from: Type.Literal('npm'), spec: Type.String({ minLength: 1, maxLength: 300 }) }),
])

const versionBody = Type.Object({
  id: pluginId,
  version: pluginVersion,
  /** The hash of what the plugin asks for, as a confirmation that the caller has seen it. */
  confirm: Type.Optional(Type.String({ maxLength: 64 })),
})

const fate = Type.Union([Type.Literal('keep'), Type.Literal('drop')])
const uninstallBody = Type.Object({ id: pluginId, tables: fate, options: fate })
const removeBody = Type.Object({ id: pluginId, version: pluginVersion })

export interface InstallRouteDeps {
  host: () => PluginHost
  installer: Installer
  uninstaller: Uninstaller
  logs: LogService
  isDemo: () => boolean
}

/** These routes change which code runs. */
const rootOnly = { access: 'root' } as const
/** These routes bring in foreign code, so a stolen access token must not be enough. */
const rootProved = { access: 'root', needsProof: true } as const

export function installRoutes(app: FastifyInstance, deps: InstallRouteDeps): void {
  comingRoutes(app, deps)
  versionRoutes(app, deps)
  const rescan = {
    summary: 'Read the folders of plugins again on all nodes; answers with all plugins',
  }
  app.post('/api/plugin/rescan', { config: rootOnly, schema: rescan }, async (request) => {
    refuseOnDemo(deps)
    await deps.host().rescan()
    return envelope(deps.host().list(request.language))
  })
}

function comingRoutes(app: FastifyInstance, deps: InstallRouteDeps): void {
  const step = { summary: 'Show the step of the running installation; null if none runs' }
  app.get('/api/plugin/install', { config: rootOnly, schema: step }, () =>
    envelope({ step: deps.installer.step ?? null }),
  )

  app.post<{ Body: Static<typeof installBody> }>(
    '/api/plugin/install',
    {
      config: rootProved,
      schema: {
        summary: 'Install a version of a plugin from npm or a folder; does not switch it on',
        body: installBody,
      },
    },
    async (request) => {
      const { body } = request
      const source: InstallSource =
        body.from === 'npm'
          ? { kind: 'npm', spec: body.spec.trim() }
          : { kind: 'folder', path: body.path.trim() }
      return envelope(await install(request, source, deps))
    },
  )

  app.post<{ Body: Buffer }>(
    '/api/plugin/upload',
    {
      config: { ...rootProved, takesFile: true },
      schema: {
        summary: 'Install a version of a plugin from a .tgz as the body; does not switch it on',
      },
    },
    async (request) => {
      const bytes = request.body
      if (!Buffer.isBuffer(bytes) || bytes.length === 0) refuse('the file is empty.', '文件为空。')
      return envelope(await install(request, { kind: 'upload', bytes }, deps))
    },
  )
}

async function install(request: FastifyRequest, source: InstallSource, deps: InstallRouteDeps) {
  refuseOnDemo(deps)
  const facts: PluginFacts = await deps.installer.install(source)
  const { id, version } = facts
  const content = `Plugin ${id} ${version} was installed`
  notePluginChange(request, deps.logs, { content, id, version, installed: true })
  await deps.host().rescan()
  return { id, version, name: facts.name[request.language] }
}

function versionRoutes(app: FastifyInstance, deps: InstallRouteDeps): void {
  app.put<{ Body: Static<typeof versionBody> }>(
    '/api/plugin/version',
    {
      config: rootOnly,
      schema: {
        summary: 'Choose the installed version of a plugin to use, newer or older',
        body: versionBody,
      },
    },
    async (request) => {
      refuseOnDemo(deps)
      const { id, version, confirm } = request.body
      const row = await deps.host().use(id, version, confirm)
      const content = `Plugin ${id} was set to version ${version}`
      notePluginChange(request, deps.logs, { content, id, version })
      const rows = deps.host().list(request.language)
      return envelope(rows.find((one) => one.id === id) ?? row)
    },
  )

  app.post<{ Body: Static<typeof removeBody> }>(
    '/api/plugin/remove-version',
    {
      config: rootOnly,
      schema: {
        summary: 'Delete an installed version of a plugin that is not in use',
        body: removeBody,
      },
    },
    async (request) => {
      refuseOnDemo(deps)
      const { id, version } = request.body
      await deps.uninstaller.removeVersion(id, version)
      const content = `Version ${version} of plugin ${id} was removed`
      notePluginChange(request, deps.logs, { content, id, version })
      await deps.host().rescan()
      return envelope()
    },
  )

  app.post<{ Body: Static<typeof uninstallBody> }>(
    '/api/plugin/uninstall',
    {
      config: rootOnly,
      schema: {
        summary: 'Uninstall a plugin that is off; its tables and options are kept or dropped',
        body: uninstallBody,
      },
    },
    async (request) => {
      refuseOnDemo(deps)
      const { id, tables, options } = request.body
      const done = await deps.uninstaller.uninstall(id, { tables, options })
      const content = `Plugin ${id} was uninstalled`
      notePluginChange(request, deps.logs, { content, id, tables, options })
      return envelope(done)
    },
  )
}

function refuseOnDemo({ isDemo }: InstallRouteDeps): void {
  if (isDemo()) throw demoClosed()
}
