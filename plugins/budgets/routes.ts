import { callerOf, envelope, readPage, type RouteApp, Type } from '#core'
import {
  addBudget,
  type BudgetServices,
  editBudget,
  listBudgets,
  ownBudgets,
  removeBudget,
} from './budgets.ts'
import { budgetBody, budgetInPath } from './schema.ts'
import type { Spending } from './spending.ts'

const config = { access: 'admin' } as const
const listQuery = Type.Object({
  p: Type.Optional(Type.String({ maxLength: 32 })),
  page_size: Type.Optional(Type.String({ maxLength: 32 })),
  keyword: Type.Optional(Type.String({ maxLength: 256 })),
})

export function budgetRoutes(app: RouteApp, services: BudgetServices, spending: Spending): void {
  app.get('/api/budgets/', { config, schema: { querystring: listQuery } }, ({ query }) =>
    envelope(listBudgets(spending, query.keyword ?? '', readPage(query))),
  )
  app.get('/api/budgets/self', { config: { access: 'user' } }, async (request) =>
    envelope(await ownBudgets(services, spending, callerOf(request))),
  )
  app.post('/api/budgets/', { config, schema: { body: budgetBody } }, async ({ body }) =>
    envelope({ id: await addBudget(services, spending, body) }),
  )
  app.put(
    '/api/budgets/:id',
    { config, schema: { params: budgetInPath, body: budgetBody } },
    async ({ params, body }) => {
      await editBudget(services, spending, { id: params.id, body })
      return envelope()
    },
  )
  app.delete(
    '/api/budgets/:id',
    { config, schema: { params: budgetInPath } },
    async ({ params }) => {
      await removeBudget(services, spending, params.id)
      return envelope()
    },
  )
}
