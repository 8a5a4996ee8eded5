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
  p: Type.Optional(Type.String({ maxLength: 32, description: 'Page, from 1.' })),
  page_size: Type.Optional(
    Type.String({ maxLength: 32, description: 'At most 100; 10 if it is missing.' }),
  ),
  keyword: Type.Optional(Type.String({ maxLength: 256 })),
})

export function budgetRoutes(app: RouteApp, services: BudgetServices, spending: Spending): void {
  const listed = {
    summary: 'List budgets with what is spent in this period, by page',
    querystring: listQuery,
  }
  app.get('/api/budgets/', { config, schema: listed }, ({ query }) =>
    envelope(listBudgets(spending, query.keyword ?? '', readPage(query))),
  )
  const own = { summary: 'List the budgets that count the caller alone, with what is spent' }
  app.get('/api/budgets/self', { config: { access: 'user' }, schema: own }, async (request) =>
    envelope(await ownBudgets(services, spending, callerOf(request))),
  )
  const added = { summary: 'Add a budget; answers with its id', body: budgetBody }
  app.post('/api/budgets/', { config, schema: added }, async ({ body }) =>
    envelope({ id: await addBudget(services, spending, body) }),
  )
  app.put(
    '/api/budgets/:id',
    {
      config,
      schema: {
        summary: 'Replace a budget; its sums stay unless it counts something else',
        params: budgetInPath,
        body: budgetBody,
      },
    },
    async ({ params, body }) => {
      await editBudget(services, spending, { id: params.id, body })
      return envelope()
    },
  )
  app.delete(
    '/api/budgets/:id',
    { config, schema: { summary: 'Delete a budget', params: budgetInPath } },
    async ({ params }) => {
      await removeBudget(services, spending, params.id)
      return envelope()
    },
  )
}
