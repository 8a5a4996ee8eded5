import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { asksForWebSocket } from '../../http/upgrades.ts'
import { AppError } from '../../contract/errors.ts'
import { acceptedSocket } from '../../net/web-socket.ts'
import { whenClosed } from '../../net/clients/when-closed.ts'
import { openaiRealtime } from '../realtime/protocols/openai-realtime.ts'
import { RealtimeSession } from '../realtime/realtime-session.ts'
import type { SessionPlace } from '../call/live-sessions.ts'
import { admitCall, runCall } from '../relay.ts'
import type { AdmittedCall } from '../call/relay-call.ts'
import type { AdmitDeps, HookDeps, RelayDeps } from '../call/relay-deps.ts'
import { internalClientError, ownClientError } from '../call/relay-error-wording.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { callCheck, callerOf } from '../intake/key-check.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set as long as the handshake can still be refused with a status. */
    realtimeCall: AdmittedCall | null
    realtimePlace: SessionPlace | null
  }
}

/** GET /v1/realtime?model=. Faults of key, limits, model and group are answered by status, later ones by an error frame. */
export function realtimeRoutes(app: FastifyInstance, deps: RelayDeps): void {
  app.decorateRequest('realtimeCall', null)
  app.decorateRequest('realtimePlace', null)
  app.get<{ Querystring: { model?: string } }>(
    '/v1/realtime',
    {
      websocket: true,
      config: { relay: { dialect: 'openai-chat' } },
      onRequest: callCheck(deps, { realtime: true }),
      preHandler: async (request, reply) => {
        const call = await admitted(request, reply, deps)
        const place = deps.realtime.enter(call.identity.userId)
        // A client that leaves before the handshake is answered never becomes a session.
        whenClosed(request.raw.socket, () => {
          if (!place.session) place.leave()
        })
        request.realtimeCall = call
        request.realtimePlace = place
      },
    },
    (socket, request) => serve(socket, request, deps),
  )
}

function admitted(
  request: FastifyRequest<{ Querystring: { model?: string } }>,
  reply: FastifyReply,
  deps: AdmitDeps & HookDeps,
): Promise<AdmittedCall> {
  if (!asksForWebSocket(request.raw))
    throw relayErrors.invalid({ reason: 'A WebSocket handshake is expected' })
  const { model } = request.query
  if (typeof model !== 'string' || model === '')
    throw relayErrors.invalid({ reason: 'model is required in the query' }, { field: 'model' })
  const input = {
    operation: 'realtime' as const,
    dialect: 'openai-chat' as const,
    requestedModel: model,
    isStream: true,
    bytes: Buffer.alloc(0),
    body: {},
    form: undefined,
    includeUsage: false,
  }
  return admitCall(input, callerOf(request), request, reply, deps)
}

async function serve(socket: WebSocket, request: FastifyRequest, deps: RelayDeps): Promise<void> {
  const { realtimeCall: call, realtimePlace: place } = request
  if (!call || !place) throw new Error('a realtime session without its admission')
  call.reply.raw.statusCode = 101
  const ask = { protocol: openaiRealtime, subprotocols: protocolsOf(request), opening: undefined }
  const session = new RealtimeSession(acceptedSocket(socket), ask, deps)
  deps.realtime.begin(place, session)
  try {
    await runCall(call, { kind: 'session', step: session }, deps)
    await session.ended()
  } catch (error) {
    if (!(error instanceof AppError))
      deps.log.error({ err: error, requestId: call.requestId }, 'a realtime session failed')
    session.refuse(
      error instanceof AppError
        ? ownClientError(error, call.requestId, call.language)
        : internalClientError(call.requestId, call.language),
    )
  } finally {
    place.leave()
  }
}

function protocolsOf(request: FastifyRequest): string[] {
  const header = request.headers['sec-websocket-protocol'] ?? ''
  return header
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}
