import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { errorType } from '../contract/errors.ts'

const noWebSocket = errorType('request.no_websocket', 404, {
  en: 'No WebSocket is served at this address.',
  zh: '此地址不提供 WebSocket。',
})

/** A server may ignore upgrades that it has no use for (RFC 9110 section 7.8); Java's HTTP client offers h2c with every
 *  request. Only a WebSocket handshake (RFC 6455 section 4.1) leaves HTTP here. */
export function asksForWebSocket({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}

/** Refuses handshakes that no route takes. Add it before the routes. */
export function refuseUpgrades(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.websocket || route.wsHandler) route.config = { ...route.config, takesWebSocket: true }
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const isRefused =
      request.headers.upgrade !== undefined &&
      asksForWebSocket(request.raw) &&
      request.routeOptions.config.takesWebSocket !== true
    done(isRefused ? noWebSocket() : undefined)
  })
  // Nobody owns an upgraded connection: if the handshake was refused, here or by a guard, it would stay open as long as the client likes.
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.headers.upgrade !== undefined && asksForWebSocket(request.raw))
      request.raw.socket.destroy()
    done()
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by the host if the route was added with `websocket`. */
    takesWebSocket?: boolean
  }
}
