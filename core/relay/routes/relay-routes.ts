// The paths of the relay, each with its dialect and operation. No provider is known here.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorDialect } from '../../contract/dialect.ts'
import { dialectOfHeaders } from '../../http/guess-dialect.ts'
import { answerMessagesCount } from './count-tokens.ts'
import type { KeyPlaces } from '../intake/credentials.ts'
import { dashboardRoutes } from './dashboard-routes.ts'
import { relayWithFallbacks } from '../relay-with-fallbacks.ts'
import { geminiRoutes } from './gemini-routes.ts'
import { interactionRoutes } from './interaction-routes.ts'
import { modelRoutes } from './model-routes.ts'
import { playgroundRoute } from './playground-route.ts'
import { readInput, type RouteShape } from '../intake/read-input.ts'
import { realtimeRoutes } from './realtime-routes.ts'
import { responseRoutes } from './response-routes.ts'
import { responseSocketRoute } from './response-socket-route.ts'
import type { CallDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { callCheck, keyCheck } from '../intake/key-check.ts'
import { allowAnyOrigin } from './any-origin.ts'
import type { RelayRouteDeps } from './route-deps.ts'

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
  // Google's SDK calls this path, too; its form of the questions is refused by name.
  { path: '/v1/decisions', shape: plain('decisions'), places: { gemini: true } },
  {
    path: '/v1/images/generations',
    shape: plain('images.generations', { defaultModel: 'dall-e' }),
  },
  {
    path: '/v1/images/edits',
    shape: plain('images.edits', { defaultModel: 'dall-e-2', isMultipart: true }),
  },
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

/** The SDKs of several providers call `/v1/files` and similar paths; the headers tell which dialect its errors should have. */
const dialectOfCaller = ({ headers }: FastifyRequest): ErrorDialect =>
  dialectOfHeaders(headers) ?? 'openai-chat'

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
    (request, reply) => answerMessagesCount(request, reply, deps),
  )
  geminiRoutes(app, deps, callCheck(deps, { gemini: true }))
  interactionRoutes(app, deps)
  modelRoutes(app, deps, keyCheck(deps, { gemini: true, anthropic: true }))
  dashboardRoutes(app, deps, keyCheck(deps, {}))
  realtimeRoutes(app, deps)
  responseRoutes(app, deps)
  responseSocketRoute(app, deps)
  playgroundRoute(app, deps)
  for (const [method, path] of notImplemented) {
    app.route({
      method,
      url: path,
      config: { relay: { dialect: 'openai-chat', dialectOf: dialectOfCaller } },
      onRequest: keyCheck(deps, { gemini: true, anthropic: true }),
      handler: () => {
        throw relayErrors.notImplemented()
      },
    })
  }
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  shape: RouteShape,
  deps: CallDeps,
): Promise<void> {
  const input = await readInput(request, shape, deps.options, deps.countFields)
  await relayWithFallbacks(input, reply, deps)
}
