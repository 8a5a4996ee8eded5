import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { errorType } from '../contract/errors.ts'

const twoHosts = errorType(
  'request.two_hosts',
  400,
  {
    en: 'The request has more than one header Host.',
    zh: '请求包含多个 Host 请求头。',
  },
  { relay: 'invalid_request' },
)

/** RFC 9112 section 3.2: a proxy may have judged by the second of two hosts while the first is the one that counts here. */
export function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasTwoHosts(request.raw)) return done()
    done(twoHosts(undefined, { headers: { connection: 'close' } }))
  })
}

/** Node keeps the first; only the headers as they came tell of the second. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}
