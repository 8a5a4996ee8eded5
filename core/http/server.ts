// The Fastify app of one generation: all routes of core and of the plugins that are on.
import compress from '@fastify/compress'
import websocket from '@fastify/websocket'
import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { BotCheck } from '../contract/plugin.ts'
import type { Contributions, RouteContribution } from '../kernel/contributions.ts'
import { PluginFault } from '../kernel/generations.ts'
import { registerConsole, readConsole } from './console-files.ts'
import { createErrorEdge, type ErrorEdgeDeps } from './error-edge.ts'
import { invalidUrl } from './invalid-url.ts'
import { registerGuards, type GuardDeps } from './guards.ts'
import { readBody } from './read-body.ts'
import { readJson } from './read-json.ts'
import { newRequestId, requestIdHeaders } from './request-id.ts'
import { keepRouteTable } from './route-table.ts'
import { compileValidator } from './validation.ts'

/** Largest body of a console call; option maps are the longest. */
const API_BODY_BYTES = 8 * 1_048_576

export interface AppDeps {
  root: string
  log: FastifyInstance['log']
  trustedProxies: readonly string[]
  relayBodyBytes: number
  guards: Omit<GuardDeps, 'botChecks'>
  relayError: ErrorEdgeDeps['relayError']
  systemName: () => string
  /** Routes of core itself. */
  coreRoutes: readonly RouteContribution[]
}

export async function createApp(
  contributions: Contributions,
  deps: AppDeps,
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: deps.log,
    // One line a request would cost more than it tells; the relay writes its own rows.
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
    exposeHeadRoutes: false,
    // A child logger for each request costs more than the rest of Fastify's work; lines name the request id themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: newRequestId,
    requestIdHeader: false,
    frameworkErrors: (_error, request, reply) => {
      void (reply as unknown as FastifyReply).code(400).send(invalidUrl(request, 400))
    },
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    forceCloseConnections: true,
    bodyLimit: deps.relayBodyBytes,
    return503OnClosing: false,
  })
  app.setValidatorCompiler(compileValidator as never)
  keepRouteTable(app)
  readBodiesOurselves(app, deps.relayBodyBytes)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-oneapi-request-id', request.id)
    done()
  })
  registerGuards(app, {
    ...deps.guards,
    botChecks: (): readonly BotCheck[] => contributions.botChecks.list(),
  })
  const errorEdge = createErrorEdge({
    relayError: deps.relayError,
    errorStatus: contributions.errorStatus,
  })
  app.setErrorHandler(errorEdge)
  await app.register(compress, {
    global: false,
    globalDecompression: false,
    threshold: 1024,
    encodings: ['gzip', 'br'],
  })
  await app.register(websocket, {
    options: { maxPayload: 16 * 1_048_576, handleProtocols: chooseProtocol },
  })
  registerConsole(app, readConsole(deps.root, contributions.plugins), deps.systemName)
  for (const contribution of deps.coreRoutes) await registerRoutes(app, contribution)
  for (const contribution of contributions.routes) await registerRoutes(app, contribution)
  serveTheRest(app)
  await app.ready()
  return app
}

/** The one that realtime clients name, else the first; entries that browsers carry a key in are not sent back. */
function chooseProtocol(offered: Set<string>): string | false {
  if (offered.has('realtime')) return 'realtime'
  return [...offered].find((entry) => !entry.includes('api-key.')) ?? false
}

/** Each contribution gets a context of its own; its faults are blamed on its owner. */
async function registerRoutes(
  app: FastifyInstance,
  { owner, register }: RouteContribution,
): Promise<void> {
  let fault: unknown
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, owner }
      if (route.url.startsWith('/api/')) route.compress ??= { encodings: ['gzip', 'br'] }
    })
    try {
      await register(scope)
    } catch (error) {
      fault = error
    }
  })
  if (fault !== undefined) throw owner === 'core' ? fault : new PluginFault(owner, fault)
}

// Bodies are JSON on console routes whatever the content type says; relay routes get the bytes.
function readBodiesOurselves(app: FastifyInstance, relayBodyBytes: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    (
      request: FastifyRequest,
      _payload: unknown,
      done: (error: Error | null, body?: unknown) => void,
    ) => {
      const isRelay = request.routeOptions.config.relay !== undefined
      readBody(request.raw, isRelay ? relayBodyBytes : API_BODY_BYTES)
        .then((bytes) => done(null, isRelay ? bytes : bodyOf(request, bytes)))
        .catch((error: Error) => done(error))
    },
  )
}

function bodyOf(request: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('application/x-www-form-urlencoded') && bytes[0] !== 0x7b) {
    return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')))
  }
  return readJson(bytes)
}

const apiPrefixes = [
  '/api',
  '/v1',
  '/v1beta',
  '/v2',
  '/pg',
  '/mj',
  '/suno',
  '/dashboard',
  '/assets',
  '/sdk',
  '/plugin-assets',
]

function refuseUrl(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(404).headers(requestIdHeaders(request.id)).send(invalidUrl(request))
}

/** Unknown paths: the console's page for GET and HEAD, 404 with a JSON body for everything that a program calls. */
function serveTheRest(app: FastifyInstance): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    config: { rate: 'global-web' },
    handler: (request, reply) => {
      const path = request.url.split('?')[0] ?? '/'
      const isApi =
        apiPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)) ||
        /^\/[\w-]+\/mj\//.test(path)
      if (isApi) return refuseUrl(request, reply)
      return app.sendConsole(request, reply)
    },
  })
  app.setNotFoundHandler(refuseUrl)
}
