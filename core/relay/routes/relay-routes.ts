// The relay's paths: each names its dialect and operation; nothing here knows a provider.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from '../intake/authenticate.ts'
import { answerTokenCount } from './count-tokens.ts'
import { checkHops } from '../intake/hops.ts'
import type { KeyPlaces } from '../intake/credentials.ts'
import { dashboardRoutes } from './dashboard-routes.ts'
import { relayAny } from './fallback-models.ts'
import { geminiRoutes } from './gemini-routes.ts'
import { modelRoutes } from './model-routes.ts'
import { playgroundRoute } from './playground-route.ts'
import { readInput, type RouteShape } from '../intake/read-input.ts'
import { realtimeRoutes } from './realtime-routes.ts'
import { responseRoutes } from './response-routes.ts'
import type { RelayCaller } from '../call/relay-call.ts'
import type { RelayDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { requestIdHeaders } from '../../http/request-id.ts'
import { enforceRateLimits } from '../intake/enforce-rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the key check of relay routes. */
    relayCaller: RelayCaller | null
  }
}

export interface RelayRouteDeps extends RelayDeps {
  owner(userId: number): Promise<{ quota: number; used_quota: number } | undefined>
  /** The user's setting accept_unset_model_ratio_model; for calls without a token, which knows it. */
  acceptsUnset(userId: number): Promise<boolean>
  token(
    userId: number,
    tokenId: number,
  ): Promise<
    | { remain_quota: number; used_quota: number; expired_time: number; unlimited_quota: boolean }
    | undefined
  >
}

const chat: RouteShape = { operation: 'chat', dialect: 'openai-chat' }
const plain = (operation: RouteShape['operation'], more: Partial<RouteShape> = {}): RouteShape => ({
  operation,
  dialect: 'openai-chat',
  ...more,
})

const routes: readonly { path: string; shape: RouteShape; places?: KeyPlaces }[] = [
  { path: '/v1/chat/completions', shape: chat },
  { path: '/v1/completions', shape: plain('completions') },
  { path: '/v1/embeddings', shape: plain('embeddings') },
  {
    path: '/v1/moderations',
    shape: plain('moderations', { defaultModel: 'omni-moderation-latest' }),
  },
  {
    path: '/v1/images/generations',
    shape: plain('images.generations', { defaultModel: 'dall-e' }),
  },
  { path: '/v1/images/edits', shape: plain('images.edits', { isMultipart: true }) },
  { path: '/v1/audio/speech', shape: plain('audio.speech', { defaultModel: 'tts-1' }) },
  {
    path: '/v1/audio/transcriptions',
    shape: plain('audio.transcriptions', { defaultModel: 'whisper-1', isMultipart: true }),
  },
  {
    path: '/v1/audio/translations',
    shape: plain('audio.translations', { defaultModel: 'whisper-1', isMultipart: true }),
  },
  { path: '/v1/rerank', shape: plain('rerank') },
  { path: '/v2/rerank', shape: plain('rerank') },
  {
    path: '/v1/responses/compact',
    shape: { operation: 'responses.compact', dialect: 'openai-responses' },
  },
  {
    path: '/v1/messages',
    shape: { operation: 'chat', dialect: 'anthropic-messages' },
    places: { anthropic: true },
  },
]

const notImplemented = [
  ['POST', '/v1/edits'],
  ['POST', '/v1/images/variations'],
  ...['files', 'fine-tunes', 'fine_tuning', 'batches', 'assistants'].flatMap((name) => [
    ['GET', `/v1/${name}`],
    ['POST', `/v1/${name}`],
    ['GET', `/v1/${name}/*`],
    ['POST', `/v1/${name}/*`],
    ['DELETE', `/v1/${name}/*`],
  ]),
] as const

export function relayRoutes(app: FastifyInstance, deps: RelayRouteDeps): void {
  app.decorateRequest('relayCaller', null)
  allowAnyOrigin(app, ['/v1/*', '/v1beta/*', '/v2/*', '/dashboard/*'])
  for (const { path, shape, places = {} } of routes) {
    app.post(
      path,
      { config: { relay: { dialect: shape.dialect } }, onRequest: callCheck(deps, places) },
      (request, reply) => answer(request, reply, shape, deps),
    )
  }
  app.post<{ Params: { model: string } }>(
    '/v1/engines/:model/embeddings',
    { config: { relay: { dialect: 'openai-chat' } }, onRequest: callCheck(deps, {}) },
    (request, reply) =>
      answer(request, reply, plain('embeddings', { defaultModel: request.params.model }), deps),
  )
  app.post(
    '/v1/messages/count_tokens',
    {
      config: { relay: { dialect: 'anthropic-messages' } },
      onRequest: callCheck(deps, { anthropic: true }),
    },
    (request, reply) => answerTokenCount(request, reply, deps),
  )
  geminiRoutes(app, deps, callCheck(deps, { gemini: true }))
  modelRoutes(app, deps, keyCheck(deps, { gemini: true, anthropic: true }))
  dashboardRoutes(app, deps, keyCheck(deps, {}))
  realtimeRoutes(app, deps)
  responseRoutes(app, deps)
  playgroundRoute(app, deps)
  for (const [method, path] of notImplemented) {
    app.route({
      method,
      url: path,
      config: { relay: { dialect: 'openai-chat' } },
      onRequest: keyCheck(deps, {}),
      handler: () => {
        throw relayErrors.notImplemented()
      },
    })
  }
}

/** The key is checked before a byte of the body is read. For routes whose answers Fastify sends. */
export function keyCheck(deps: RelayDeps, places: KeyPlaces) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.headers(requestIdHeaders(request.id))
    request.relayCaller = await authenticate(request, deps.tokens, places)
  }
}

/** The key check and the rate limits, for the routes that call models. */
export function callCheck(deps: RelayDeps, places: KeyPlaces) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    checkHops(request, deps.hopId)
    request.relayCaller = await authenticate(request, deps.tokens, places)
    const limiters = deps.rateLimiters()
    if (limiters.length > 0) await enforceRateLimits(request.relayCaller, reply, limiters)
  }
}

export async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  shape: RouteShape,
  deps: RelayDeps,
): Promise<void> {
  const input = await readInput(request, shape, deps.options, deps.countFields)
  await relayAny(input, callerOf(request), request, reply, deps)
  // A client that left gets nothing more; Fastify must not answer for us.
  if (!reply.sent) reply.hijack()
}

export function callerOf(request: FastifyRequest): RelayCaller {
  if (!request.relayCaller) throw new Error('a relay route without a key check')
  return request.relayCaller
}

const anyOrigin = Symbol('routes that any origin may call')

/** Routes whose caller is known by a key only: where a session counts (/api, /pg) no other origin may read. */
function markAnyOrigin(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { relay, access } = request.routeOptions.config
  if (request.headers.origin !== undefined && relay !== undefined && access === undefined) {
    reply.header('access-control-allow-origin', '*')
    reply.raw.setHeader('access-control-allow-origin', '*')
  }
  done()
}

/** Browsers may call from any origin: the key is in a header, never in a cookie. */
export function allowAnyOrigin(app: FastifyInstance, paths: readonly string[]): void {
  if (!app.hasDecorator(anyOrigin)) {
    app.decorate(anyOrigin, true)
    app.addHook('onRequest', markAnyOrigin)
  }
  for (const path of paths) {
    app.options(path, (request, reply) =>
      reply
        .headers({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
          'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
          'access-control-max-age': '86400',
        })
        .code(204)
        .send(),
    )
  }
}
