import type { WebsocketHandler } from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { WebSocket } from 'ws'
import type { BodyIntake } from './bodies/body-intake.ts'
import { countUnfinished } from './bodies/count-unfinished.ts'
import { senderOf } from './bodies/sender.ts'
import type { OpenSockets } from './open-sockets.ts'

/** RFC 6455 section 7.4.1: the server met what it did not expect. */
const INTERNAL_ERROR = 1011

export interface SocketDeps {
  intake: BodyIntake
  sockets: OpenSockets
}

/** If a listener of a WebSocket throws, ends that socket. Listeners are called by the connection's stream, where
 *  nothing catches: a message that a plugin cannot handle would end the whole process. Also bounds what its client has
 *  not sent whole, and notes which sockets are open. Add it before the routes, and before the plugin that serves them. */
export function guardSockets(app: FastifyInstance, deps: SocketDeps): void {
  app.addHook('onRoute', (route: RouteOptions) => {
    if (route.wsHandler) route.wsHandler = guarded(route.wsHandler, deps)
    else if (isOfSockets(route)) Object.assign(route, { handler: guarded(route.handler, deps) })
  })
}

/** WebSocket routes have another kind of handler, which Fastify's types do not express. */
function isOfSockets(route: RouteOptions): route is RouteOptions & { handler: WebsocketHandler } {
  return route.websocket === true
}

function guarded(handler: WebsocketHandler, { intake, sockets }: SocketDeps): WebsocketHandler {
  return function handle(socket, request) {
    countUnfinished(socket, request.raw.socket, intake, senderOf(request))
    const { owner } = request.routeOptions.config
    if (owner !== 'core') sockets.add(socket)
    const emit = socket.emit.bind(socket)
    socket.emit = (name: string | symbol, ...values: unknown[]) => {
      try {
        return emit(name, ...values)
      } catch (error) {
        request.log.error({ err: error, plugin: owner }, 'a WebSocket of a plugin failed')
        socket.close(INTERNAL_ERROR)
        return true
      }
    }
    return handler.call(this, socket, request)
  }
}

/** Ends a WebSocket that failed. What its client sent wrongly, such as text that is not UTF-8, is no fault of the gateway. */
export function endFaulty(error: Error, socket: WebSocket, { log }: FastifyRequest): void {
  const { code } = error as NodeJS.ErrnoException
  if (code?.startsWith('WS_ERR_')) log.info({ code }, 'a WebSocket could not be read')
  else log.error({ err: error }, 'a WebSocket failed')
  socket.terminate()
}
