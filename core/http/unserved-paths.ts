// Paths that no route serves: the console's page where a person may have asked, and where a program has, a refusal in the form that it expects.
import { extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusalBody } from './refusal-body.ts'
import { requestIdHeaders } from './request-id.ts'

const apiPrefixes = [
  '/api',
  '/v1',
  '/v1beta',
  '/v2',
  '/ws',
  '/pg',
  '/mj',
  '/suno',
  '/dashboard',
  '/assets',
  '/sdk',
  '/plugin-assets',
]

/** What is asked for by a client whose base URL lacks the version. */
const unversioned =
  /^\/(?:chat\/completions|completions|decisions|embeddings|messages|models|moderations|rerank|responses|images|audio)(?:\/|$)/

/** No route, or a route whose path begins with a parameter while the request's first part is a spelling of `api`. */
export function isUnserved(request: FastifyRequest): boolean {
  if (request.is404) return true
  if (!request.routeOptions.config.hasOpenStart) return false
  const [, first = ''] = request.url.split(/[/?]/, 2)
  return apiPrefixes.includes(`/${decodeURIComponent(first)}`)
}

export function refuseUrl(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store')
  return reply.code(404).headers(requestIdHeaders(request.id)).send(invalidUrl(request))
}

/** Nobody who could read the page: a program whose base URL lacks the version lists models, too, and a browser or a crawler looks for files (an icon,
 *  a site map) that are not there. */
function isOfProgram({ headers }: FastifyRequest, path: string): boolean {
  const isSought = meantPath(path) !== undefined || isFile(path)
  return isSought && !(headers.accept ?? '').includes('text/html')
}

/** `/.well-known/…` and other hidden places hold nothing but files. */
function isFile(path: string): boolean {
  if (path.startsWith('/.')) return true
  return !['', '.html', '.htm'].includes(extname(path))
}

/** Paths without a route: the console's page for GET and HEAD, and 404 with a JSON body for paths that programs call. */
export function serveTheRest(app: FastifyInstance): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    config: { rate: 'global-web' },
    handler: (request, reply) => {
      const path = request.url.split('?')[0] ?? '/'
      const isApi =
        apiPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)) ||
        /^\/[\w-]+\/mj\//.test(path)
      if (isApi || isOfProgram(request, path)) return refuseUrl(request, reply)
      return app.sendConsole(request, reply)
    },
  })
  app.setNotFoundHandler(refuseUrl)
}

/** The body of the answer, which tells what may have been meant. */
export function invalidUrl(request: FastifyRequest, status = 404): object {
  const path = request.url.split('?')[0] ?? '/'
  const meant = meantPath(path)
  const hint =
    meant === undefined ? '' : `. Is ${meant} meant? Then the client's base URL is wrong.`
  const message = `Invalid URL (${request.method} ${path})${hint}`
  const refusal = { status, message, requestId: request.id }
  return refusalBody(
    { path, headers: request.headers },
    status === 404 ? { ...refusal, code: 'route.missing' } : refusal,
  )
}

/** SDKs want an address with the version or without, and people give each of them the other's. */
function meantPath(path: string): string | undefined {
  const single = path.replaceAll(/\/{2,}/g, '/')
  if (single !== path) return meantPath(single) ?? (single.startsWith('/v1') ? single : undefined)
  const [, twice] = /^\/v1(?:beta)?(\/v1(?:beta)?\/.*)$/.exec(path) ?? []
  if (twice !== undefined) return twice
  if (!unversioned.test(path)) return undefined
  return `${path.startsWith('/models/') && path.includes(':') ? '/v1beta' : '/v1'}${path}`
}
