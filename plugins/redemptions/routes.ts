import type { FastifyInstance } from 'fastify'
import { callerOf, envelope, type PluginServices, readPage } from '#core'
import { createCodes, editCode, findCode, listCodes, removeCode, switchCode } from './codes.ts'
import { redeem } from './redeem.ts'
import {
  codeBody,
  type CodeBody,
  codeInPath,
  type CodeInPath,
  editQuery,
  type EditQuery,
  listQuery,
  type ListQuery,
  newCodesBody,
  type NewCodesBody,
  redeemBody,
  type RedeemBody,
} from './schema.ts'

const config = { access: 'admin' } as const
const inPath = { config, schema: { params: codeInPath } }

export function redemptionRoutes(app: FastifyInstance, services: PluginServices): void {
  readingRoutes(app, services)
  writingRoutes(app, services)
  app.post<{ Body: RedeemBody }>(
    '/api/user/topup',
    { config: { access: 'user', rate: 'critical' }, schema: { body: redeemBody } },
    async (request) => envelope(await redeem(services, callerOf(request), request.body.key)),
  )
}

function readingRoutes(app: FastifyInstance, services: PluginServices): void {
  const schema = { querystring: listQuery }
  for (const url of ['/api/redemption/', '/api/redemption/search']) {
    // Answers that hold codes are not compressed: their length would tell of them.
    app.get<{ Querystring: ListQuery }>(
      url,
      { config, compress: false, schema },
      async ({ query }) => {
        const page = readPage(query)
        const filter = { keyword: query.keyword ?? '', status: query.status }
        const found = await listCodes(services, filter, page)
        return envelope({ ...found, page: page.page, page_size: page.pageSize })
      },
    )
  }
  app.get<{ Params: CodeInPath }>(
    '/api/redemption/:id',
    { ...inPath, compress: false },
    async ({ params }) => envelope(await findCode(services, params.id)),
  )
}

function writingRoutes(app: FastifyInstance, services: PluginServices): void {
  app.post<{ Body: NewCodesBody }>(
    '/api/redemption/',
    { config, compress: false, schema: { body: newCodesBody } },
    async (request) => envelope(await createCodes(services, callerOf(request), request.body)),
  )
  app.put<{ Body: CodeBody; Querystring: EditQuery }>(
    '/api/redemption/',
    { config, compress: false, schema: { body: codeBody, querystring: editQuery } },
    async ({ body, query }) =>
      envelope(
        query.status_only
          ? await switchCode(services, body.id, body.status)
          : await editCode(services, body),
      ),
  )
  app.delete<{ Params: CodeInPath }>('/api/redemption/:id', inPath, async ({ params }) => {
    await removeCode(services, params.id)
    return envelope()
  })
}
