import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A page sees neither the wait before a retry nor the request id unless the answer lists them. */
const READABLE = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
}

const anyOrigin = Symbol('routes that any origin may call')

/** Marks routes that identify their caller by a key only. Routes that accept a session (/api, /pg) must not be readable
 *  from other origins. */
function markAnyOrigin(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { relay, access } = request.routeOptions.config
  if (request.headers.origin !== undefined && relay !== undefined && access === undefined) {
    for (const [name, value] of Object.entries(READABLE)) {
      reply.header(name, value)
      reply.raw.setHeader(name, value)
    }
  }
  done()
}

/** Lets browsers call these paths from any origin: the key is in a header, never in a cookie. */
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
