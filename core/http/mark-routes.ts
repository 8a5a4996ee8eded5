import type { FastifyInstance } from 'fastify'
import type { Adapter } from '../contract/adapter.ts'
import { role } from '../contract/constants.ts'
import { envelope } from '../contract/http.ts'
import { type Maker, makersOf, type MarkKind, marksOf, providerFaces } from './marks.ts'

export interface MarkRouteDeps {
  adapters: readonly Adapter[]
  /** Makers that have no adapter here. */
  makers: readonly Maker[]
}

/** What lists and pickers show beside names: who makes a model, for everybody; which provider a channel type is, for admins. */
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

  app.get('/api/mark/', { config: { access: 'try-user' } }, (request) =>
    envelope((request.caller?.role ?? 0) >= role.admin ? forAdmins : { ...forAll, providers: {} }),
  )

  // Outside /api, where each picture would count against the limit of calls.
  app.get<{ Params: { file: string } }>('/marks/:file', (request, reply) => {
    const mark = marks.get(request.params.file.replace(/\.svg$/, ''))
    if (!mark) return reply.callNotFound()
    return (
      reply
        .header('content-type', 'image/svg+xml; charset=utf-8')
        .header('cache-control', 'public, max-age=86400')
        .header('x-content-type-options', 'nosniff')
        // A drawing that an adapter brought is only ever a picture, also when somebody opens its address.
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .send(mark.svg)
    )
  })
}
