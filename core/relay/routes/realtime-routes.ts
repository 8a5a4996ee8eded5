import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { asksForWebSocket } from '../../http/upgrades.ts'
import { AppError } from '../../contract/errors.ts'
import { acceptedSocket } from '../../net/web-socket.ts'
import { pingOften } from '../../net/ping-often.ts'
import { whenClosed } from '../../net/clients/when-closed.ts'
import { geminiLive } from '../realtime/protocols/gemini-live.ts'
import { openaiLive } from '../realtime/protocols/openai-live.ts'
import { openaiRealtime } from '../realtime/protocols/openai-realtime.ts'
import { openaiTranscription } from '../realtime/protocols/openai-transcription.ts'
import { openaiTranslation } from '../realtime/protocols/openai-translation.ts'
import type { SessionProtocol } from '../realtime/protocols/session-protocol.ts'
import { RealtimeSession } from '../realtime/realtime-session.ts'
import type { SessionPlace } from '../call/live-sessions.ts'
import { admitCall, runCall } from '../relay.ts'
import type { AdmittedCall } from '../call/relay-call.ts'
import type { AccessDeps, AdmitDeps, HookDeps, RelayDeps } from '../call/relay-deps.ts'
import { gatewayErrorOf } from '../call/relay-error-wording.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { authenticate } from '../intake/authenticate.ts'
import { callCheck, callerOf } from '../intake/key-check.ts'

declare module 'fastify' {
  interface FastifyRequest {
    realtimeStart: SessionStart | null
  }
}

interface SessionQuery {
  Querystring: { model?: string; intent?: string }
}
type SessionRequest = FastifyRequest<SessionQuery>

/** What is known when the handshake is answered. */
interface SessionStart {
  protocol: SessionProtocol
  place: SessionPlace
  reply: FastifyReply
  /** Undefined if the model comes in the first message. */
  call: AdmittedCall | undefined
}

/** Google's SDK for JavaScript puts two slashes before the path. */
const geminiPaths = ['/', '//'].flatMap((root) =>
  ['v1', 'v1beta', 'v1alpha'].map(
    (version) =>
      `${root}ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`,
  ),
)

const sessions: ReadonlyMap<string, SessionProtocol> = new Map([
  ['/v1/realtime', openaiRealtime],
  ['/v1/realtime/translations', openaiTranslation],
  ['/v1/live/sessions', openaiLive],
  ...geminiPaths.map((path) => [path, geminiLive] as const),
])

/** Transcripts have the address of conversations. */
function protocolFor(onPath: SessionProtocol, { query }: SessionRequest): SessionProtocol {
  const isTranscript = onPath === openaiRealtime && query.intent === 'transcription'
  return isTranscript ? openaiTranscription : onPath
}

/** Sessions over WebSockets. What is known at the handshake is refused by status: faults of key and limits, and of the model where the query names
 *  it; later faults as the session's API says it. */
export function realtimeRoutes(app: FastifyInstance, deps: RelayDeps): void {
  app.decorateRequest('realtimeStart', null)
  for (const [path, protocol] of sessions) addRoute(app, path, protocol, deps)
}

function addRoute(
  app: FastifyInstance,
  path: string,
  onPath: SessionProtocol,
  deps: RelayDeps,
): void {
  app.get<SessionQuery>(
    path,
    {
      websocket: true,
      config: { relay: { dialect: onPath.dialect } },
      onRequest: callCheck(deps, onPath.keyPlaces),
      preHandler: async (request, reply) => {
        const protocol = protocolFor(onPath, request)
        if (!asksForWebSocket(request.raw))
          throw relayErrors.invalid({ reason: 'A WebSocket handshake is expected' })
        const call = protocol.opening
          ? undefined
          : await admitted(modelInQuery(request), protocol, reply, deps)
        const place = deps.realtime.enter(callerOf(request).identity.userId)
        // A client that leaves before the handshake is answered never becomes a session.
        whenClosed(request.raw.socket, () => {
          if (!place.session) place.leave()
        })
        request.realtimeStart = { protocol, place, reply, call }
      },
    },
    (socket, request) => serve(socket, request, deps),
  )
}

function modelInQuery({ query }: SessionRequest): string {
  const { model } = query
  if (typeof model !== 'string' || model === '')
    throw relayErrors.invalid({ reason: 'model is required in the query' }, { field: 'model' })
  return model
}

function admitted(
  requestedModel: string,
  { dialect }: SessionProtocol,
  reply: FastifyReply,
  deps: AdmitDeps & HookDeps,
): Promise<AdmittedCall> {
  const input = {
    operation: 'realtime' as const,
    dialect,
    requestedModel,
    isStream: true,
    bytes: Buffer.alloc(0),
    body: {},
    form: undefined,
    includeUsage: false,
  }
  return admitCall(input, reply, deps)
}

async function serve(socket: WebSocket, request: FastifyRequest, deps: RelayDeps): Promise<void> {
  const { realtimeStart: start } = request
  if (!start) throw new Error('a realtime session without its admission')
  const { protocol, place, reply } = start
  const session = new RealtimeSession(
    acceptedSocket(socket),
    { protocol, subprotocols: protocolsOf(request) },
    deps,
  )
  pingOften(socket, request.raw.socket)
  deps.realtime.begin(place, session)
  try {
    const call = start.call ?? (await admittedByFirst(session, protocol, reply, deps))
    if (!call) return
    call.reply.raw.statusCode = 101
    await runCall(call, { kind: 'session', step: session }, deps)
    await session.ended()
  } catch (error) {
    if (!(error instanceof AppError))
      deps.log.error({ err: error, requestId: request.id }, 'a realtime session failed')
    session.refuse(gatewayErrorOf(error, request.id, request.language))
  } finally {
    place.leave()
  }
}

/** @returns undefined if the client leaves without a message */
async function admittedByFirst(
  session: RealtimeSession,
  protocol: SessionProtocol,
  reply: FastifyReply,
  deps: AdmitDeps & HookDeps & Pick<AccessDeps, 'tokens'>,
): Promise<AdmittedCall | undefined> {
  const model = await session.modelOfFirst()
  if (model === undefined) return undefined
  // The key may have been withdrawn since the handshake.
  const { request } = reply
  request.relayCaller = await authenticate(request, deps.tokens, protocol.keyPlaces)
  const call = await admitted(model, protocol, reply, deps)
  await session.admitFirst(call)
  return call
}

function protocolsOf(request: FastifyRequest): string[] {
  const header = request.headers['sec-websocket-protocol'] ?? ''
  return header
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}
