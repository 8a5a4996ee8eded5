// The Fastify app of one generation: all routes of core and of the plugins that are on.
import compress from '@fastify/compress'
import websocket from '@fastify/websocket'
import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type RouteOptions,
} from 'fastify'
import type { TSchema } from '@sinclair/typebox'
import type { BotCheck } from '../contract/plugin.ts'
import { refuseUnnamedRoute } from '../kernel/manifest/check-asks.ts'
import type { Contributions, RouteContribution } from '../kernel/contributions.ts'
import { Pace } from '../kernel/in-slices.ts'
import { noteAnswer, readBodiesOurselves } from './bodies/bodies.ts'
import { registerConsole, readConsole } from './console-files.ts'
import { consolePages } from './console-pages.ts'
import { createErrorEdge, type ErrorEdgeDeps } from './error-edge.ts'
import { endFaulty, guardSockets } from './guard-sockets.ts'
import { registerGuards, type GuardDeps } from './access/guards.ts'
import type { BodyIntake } from './bodies/body-intake.ts'
import { requireOneHost } from './one-host.ts'
import type { OpenSockets } from './open-sockets.ts'
import { PluginScopes } from './plugin-scope.ts'
import { newRequestId } from './request-id.ts'
import { keepRouteTable } from './route-table.ts'
import { limitUnreadAnswers } from './unread-answers.ts'
import { invalidUrl, isUnserved, refuseUrl, serveTheRest } from './unserved-paths.ts'
import { refuseUpgrades } from './upgrades.ts'
import { noNul } from './bodies/nul.ts'
import { compileValidator, fieldInvalid } from './validation.ts'

export interface AppDeps {
  root: string
  log: FastifyInstance['log']
  trustedProxies: readonly string[]
  relayBodyBytes: number
  /** For how long a client may read nothing of a long answer. */
  stallMs: number
  /** Shared by all generations of the process. */
  intake: BodyIntake
  sockets: OpenSockets
  guards: Omit<GuardDeps, 'botChecks'>
  relayError: ErrorEdgeDeps['relayError']
  systemName: () => string
  /** Time limit for each part of loading a plugin. */
  loadTimeoutMs: number
  /** Routes of core, and routes that core makes from contributions of plugins, each with its owner. */
  coreRoutes: readonly RouteContribution[]
}

export async function createApp(
  contributions: Contributions,
  deps: AppDeps,
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: deps.log,
    // One log line per request would cost too much; the relay writes rows of its own.
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
    exposeHeadRoutes: false,
    // A child logger per request costs more than all other work of Fastify. Log lines name the request id themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: newRequestId,
    requestIdHeader: false,
    frameworkErrors: (_error, request, reply) => {
      void (reply as FastifyReply).code(400).send(invalidUrl(request, 400))
    },
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    forceCloseConnections: true,
    bodyLimit: deps.relayBodyBytes,
    return503OnClosing: false,
    // Each part of a plugin's load has a limit of its own, which a busy process does not exceed.
    pluginTimeout: 0,
  })
  try {
    await addAll(app, contributions, deps)
    return app
  } catch (error) {
    // The app is incomplete. Its closing is not awaited, because it may hang where its start did.
    app.close().then(
      () => undefined,
      () => undefined,
    )
    throw error
  }
}

async function addAll(
  app: FastifyInstance,
  contributions: Contributions,
  deps: AppDeps,
): Promise<void> {
  app.setValidatorCompiler<TSchema>(compileValidator)
  keepRouteTable(app)
  const scopes = new PluginScopes(app, {
    external: contributions.external,
    checkNamed: (owner, url) => {
      const plugin = contributions.plugins.find(({ id }) => id === owner)
      if (plugin) refuseUnnamedRoute(url, plugin)
    },
    limitMs: deps.loadTimeoutMs,
    pages: consolePages(deps.root),
  })
  readBodiesOurselves(app, deps)
  requireOneHost(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-oneapi-request-id', request.id)
    noteAnswer(request, reply)
    // Runs before any byte of the body is read, so that paths without a route cost nothing.
    if (isUnserved(request)) void refuseUrl(request, reply)
    else if (request.url.includes('%00')) done(nulInUrl())
    else done()
  })
  limitUnreadAnswers(app, deps.stallMs)
  refuseUpgrades(app)
  registerGuards(app, {
    ...deps.guards,
    botChecks: (): readonly BotCheck[] => contributions.botChecks.list(),
  })
  const errorEdge = createErrorEdge({
    relayError: deps.relayError,
    errorStatus: contributions.errorStatus,
  })
  app.setErrorHandler(errorEdge)
  // Added before the plugin is registered, because the plugin looks at each route as it is added, and hooks run in the
  // order of their registration.
  app.addHook('onRoute', (route) => {
    if (isCompressed(route)) route.compress ??= compression
  })
  await app.register(compress, { global: false, globalDecompression: false, ...compression })
  guardSockets(app, deps)
  await app.register(websocket, {
    options: { maxPayload: 16 * 1_048_576, handleProtocols: chooseProtocol },
    errorHandler: endFaulty,
  })
  registerConsole(app, readConsole(deps.root, contributions.plugins), deps.systemName)
  serveTheRest(app)
  // Another generation serves in the meantime, so the work leaves it time.
  const pace = new Pace()
  for (const contribution of inOrder(contributions, deps)) {
    await scopes.add(contribution)
    if (pace.isDue) await pace.breathe()
  }
  await scopes.ready()
}

/** Built-in routes first: of two equal routes, the external plugin's is then the one that is blamed. */
function inOrder({ routes, external }: Contributions, deps: AppDeps): RouteContribution[] {
  const all = [...deps.coreRoutes, ...routes]
  const isOwn = ({ owner }: RouteContribution) => !external.has(owner)
  return [...all.filter(isOwn), ...all.filter((contribution) => !isOwn(contribution))]
}

const compression: { threshold: number; encodings: ('br' | 'gzip')[] } = {
  threshold: 1024,
  encodings: ['br', 'gzip'],
}

/** Compresses what the console reads; answers to writes are small. A route that shows secrets sets `compress: false`:
 *  whoever can choose parts of an answer could guess the rest from the compressed length. */
function isCompressed({ method, url }: RouteOptions): boolean {
  return [method].flat().includes('GET') && (url === '/*' || url.startsWith('/api/'))
}

/** The subprotocol of realtime clients, else the first one. Entries in which browsers carry a key are not repeated in the answer. */
function chooseProtocol(offered: Set<string>): string | false {
  if (offered.has('realtime')) return 'realtime'
  return [...offered].find((entry) => !entry.includes('api-key.')) ?? false
}

const nulInUrl = () => fieldInvalid({ field: 'url', reason: noNul }, { field: 'url' })
