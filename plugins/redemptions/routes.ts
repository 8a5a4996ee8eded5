import { callerOf, envelope, type PluginServices, readPage, type RouteApp } from '#core'
import { createCodes, editCode, findCode, listCodes, removeCode, switchCode } from './codes.ts'
import { redeem } from './redeem.ts'
import { codeBody, codeInPath, editQuery, listQuery, newCodesBody, redeemBody } from './schema.ts'

const config = { access: 'admin' } as const
const inPath = (summary: string) => ({ config, schema: { summary, params: codeInPath } })

export function redemptionRoutes(app: RouteApp, services: PluginServices): void {
  readingRoutes(app, services)
  writingRoutes(app, services)
  app.post(
    '/api/user/topup',
    {
      config: { access: 'user', rate: 'critical' },
      schema: {
        summary: 'Redeem a code: credits its quota units, and answers with them',
        body: redeemBody,
      },
    },
    async (request) => envelope(await redeem(services, callerOf(request), request.body.key)),
  )
}

function readingRoutes(app: RouteApp, services: PluginServices): void {
  const schema = {
    summary: 'List redemption codes in clear, newest first, by page',
    querystring: listQuery,
  }
  for (const url of ['/api/redemption/', '/api/redemption/search']) {
    // Answers with codes are not compressed, because the compressed length could reveal them.
    app.get(url, { config, compress: false, schema }, async ({ query }) => {
      const page = readPage(query)
      const filter = { keyword: query.keyword ?? '', status: query.status }
      const found = await listCodes(services, filter, page)
      return envelope({ ...found, page: page.page, page_size: page.pageSize })
    })
  }
  const found = inPath('Show a redemption code in clear')
  app.get('/api/redemption/:id', { ...found, compress: false }, async ({ params }) =>
    envelope(await findCode(services, params.id)),
  )
}

function writingRoutes(app: RouteApp, services: PluginServices): void {
  app.post(
    '/api/redemption/',
    {
      config,
      compress: false,
      schema: {
        summary: 'Create redemption codes, all or none; answers with them in clear',
        body: newCodesBody,
      },
    },
    async (request) => envelope(await createCodes(services, callerOf(request), request.body)),
  )
  app.put(
    '/api/redemption/',
    {
      config,
      compress: false,
      schema: {
        summary: 'Edit an unused redemption code; with `status_only` just its status',
        body: codeBody,
        querystring: editQuery,
      },
    },
    async (request) => {
      const { body, query } = request
      return envelope(
        query.status_only
          ? await switchCode(services, body.id, body.status)
          : await editCode(services, callerOf(request), body),
      )
    },
  )
  const removed = inPath('Delete a redemption code, which can then no longer be redeemed')
  app.delete('/api/redemption/:id', removed, async ({ params }) => {
    await removeCode(services, params.id)
    return envelope()
  })
}
