// The routes of client dialects that plugins add. A call is read into the neutral form once, and as a chat body of our
// own it passes the same hooks, prices and limits as any other.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ClientDialect, ClientDialectRoute } from '../../contract/client-dialect.ts'
import type { ErrorWriter } from '../../contract/dialect.ts'
import type { ChatRequest } from '../../contract/neutral.ts'
import { codecs } from '../../dialects/index.ts'
import { faultyCount } from '../intake/check-counts.ts'
import type { ClientCodec, ReadCall } from '../call/relay-call.ts'
import type { AccessDeps, CallDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import type { KeyPlaces } from '../intake/credentials.ts'
import { callCheck } from '../intake/key-check.ts'
import { checkModelName } from '../intake/model-name.ts'
import { bytesOf, readObject } from '../intake/read-input.ts'
import { relay } from '../relay.ts'
import { allowAnyOrigin } from './any-origin.ts'
import { codecOf } from './client-dialect-codec.ts'

export function clientDialectRoutes(
  app: FastifyInstance,
  dialect: ClientDialect,
  deps: AccessDeps & CallDeps,
): void {
  if (!app.hasRequestDecorator('relayCaller')) app.decorateRequest('relayCaller', null)
  const { keyHeader: name } = dialect
  const places: KeyPlaces = name === undefined ? {} : { header: { name } }
  const codec = codecOf(dialect)
  const writeError: ErrorWriter = (error) => ({
    status: error.status,
    body: codec.writeError(error),
  })
  const config = { relay: { dialect: 'openai-chat' as const, writeError } }
  allowAnyOrigin(
    app,
    dialect.routes.map(({ path }) => path),
  )
  for (const route of dialect.routes)
    app.post(route.path, { config, onRequest: callCheck(deps, places) }, async (request, reply) => {
      const input = readCall(request, { dialect, codec, route }, deps)
      await relay(input, reply, deps)
    })
}

interface Spoken {
  dialect: ClientDialect
  codec: ClientCodec
  route: ClientDialectRoute
}

/** @throws AppError */
function readCall(
  request: FastifyRequest,
  { dialect, codec, route }: Spoken,
  deps: Pick<CallDeps, 'options'>,
): ReadCall {
  const neutral = dialect.parseRequest(readObject(bytesOf(request)), {
    path: route.path,
    params: request.params as Record<string, string>,
    query: request.query as Record<string, string>,
  })
  const { model } = neutral
  checkModelName(model)
  const body = codecs['openai-chat'].buildRequest(neutral, {
    upstreamModel: model,
    dropped: [],
    option: (key) => deps.options.get(key),
  })
  return {
    operation: 'chat',
    dialect: 'openai-chat',
    requestedModel: model,
    fault: emptyFault(neutral) ?? faultyCount(body, 'chat'),
    isStream: neutral.stream,
    bytes: Buffer.from(JSON.stringify(body)),
    body,
    form: undefined,
    includeUsage: true,
    ownCodec: codec,
    neutral,
  }
}

function emptyFault({ turns }: ChatRequest): Error | undefined {
  if (turns.length > 0) return undefined
  return relayErrors.invalid({ reason: 'The conversation is empty' }, { field: 'messages' })
}
