import type { FastifyInstance } from 'fastify'
import type { Adapter } from '../contract/adapter.ts'
import { role } from '../contract/constants.ts'
import { envelope } from '../contract/http.ts'
import { type Maker, makersOf, type MarkKind, marksOf, providerFaces } from './marks.ts'

export interface MarkRouteDeps {
  adapters: readonly Adapter[]
  /** Makers of models without an adapter here. */
  makers: readonly Maker[]
}

/** The logos beside names in lists and pickers: makers of models for everybody, providers of channel types for admins. */
export function markRoutes(
  app: FastifyInstance,
  { adapters, makers: others }: MarkRouteDeps,
): void {
  const makers = makersOf(adapters, others)
  const marks = marksOf(adapters, makers)
  const kinds = (names: Iterable<string>): Record<string, MarkKind> =>
    Object.fromEntries(
      [...names].flatMap((name) => {
        const mark = marks.get(name)
        return mark ? [[name, mark.kind]] : []
      }),
    )
  const forAll = { makers, marks: kinds(makers.flatMap(({ mark }) => mark ?? [])) }
  const forAdmins = { makers, marks: kinds(marks.keys()), providers: providerFaces(adapters) }

  const schema = {
    summary: 'List the makers of models and their logos, for admins also the providers',
  }
  app.get('/api/mark/', { config: { access: 'try-user' }, schema }, (request) =>
    envelope((request.caller?.role ?? 0) >= role.admin ? forAdmins : { ...forAll, providers: {} }),
  )

  // Outside /api, where each picture would count against the rate limit.
  app.get<{ Params: { file: string } }>('/marks/:file', (request, reply) => {
    const mark = marks.get(request.params.file.replace(/\.svg$/, ''))
    if (!mark) return reply.callNotFound()
    return (
      reply
        .header('content-type', 'image/svg+xml; charset=utf-8')
        .header('cache-control', 'public, max-age=86400')
        .header('x-content-type-options', 'nosniff')
        // An adapter's own drawing must not run scripts, even if somebody opens its address directly.
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .send(mark.svg)
    )
  })
}
