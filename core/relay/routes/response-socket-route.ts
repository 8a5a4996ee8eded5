import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { asksForWebSocket } from '../../http/upgrades.ts'
import { pingOften } from '../../net/ping-often.ts'
import { whenClosed } from '../../net/clients/when-closed.ts'
import { acceptedSocket } from '../../net/web-socket.ts'
import type { SessionPlace } from '../call/live-sessions.ts'
import type { RelayDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { authenticate } from '../intake/authenticate.ts'
import { callerOf, keyCheck } from '../intake/key-check.ts'
import { ResponseSocket } from '../response-socket/response-socket.ts'

declare module 'fastify' {
  interface FastifyRequest {
    responsePlace: SessionPlace | null
  }
}

/** GET /v1/responses with a WebSocket handshake. Faults of the key are answered by status, those of a message by an event. */
export function responseSocketRoute(app: FastifyInstance, deps: RelayDeps): void {
  app.decorateRequest('responsePlace', null)
  app.get(
    '/v1/responses',
    {
      websocket: true,
      config: { relay: { dialect: 'openai-responses' } },
      onRequest: keyCheck(deps, {}),
      preHandler: async (request) => {
        if (!asksForWebSocket(request.raw))
          throw relayErrors.invalid({ reason: 'A WebSocket handshake is expected' })
        const place = deps.responseSockets.enter(callerOf(request).identity.userId)
        whenClosed(request.raw.socket, () => place.leave())
        request.responsePlace = place
      },
    },
    (socket, request) => serve(socket, request, deps),
  )
}

async function serve(socket: WebSocket, request: FastifyRequest, deps: RelayDeps): Promise<void> {
  const { responsePlace: place } = request
  if (!place) throw new Error('a Responses socket without its admission')
  const session = new ResponseSocket(
    {
      userId: callerOf(request).identity.userId,
      socket: acceptedSocket(socket),
      remoteAddress: request.socket.remoteAddress ?? '',
      headers: headersOfCalls(request),
      language: request.language,
      check: async () => void (await authenticate(request, deps.tokens, {})),
    },
    { ...deps, stallMs: deps.settings.streamingTimeoutMs },
  )
  deps.responseSockets.begin(place, session)
  pingOften(socket, request.raw.socket)
  await session.run()
}

/** Those of the handshake, and what a call says of its own body. */
const notOfCalls =
  /^(?:connection|upgrade|sec-websocket-.*|content-.*|transfer-encoding|accept.*|expect|keep-alive|te|trailer)$/

/** The version of the protocol that a client speaks is no matter of the upstream. */
const ofSockets = /^responses_websockets\b/

function headersOfCalls({ headers }: FastifyRequest): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value.join(', ') : value
    if (text === undefined || (notOfCalls.test(name) && name !== 'accept-language')) continue
    if (name === 'openai-beta' && ofSockets.test(text)) continue
    found[name] = text
  }
  return found
}
