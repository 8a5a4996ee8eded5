import {
  type DatabaseService,
  envelope,
  errorType,
  readPage,
  type RouteApp,
  Type,
} from 'tollgate/contract'

// What `{id}` stands for is named by the type.
const unknownCard = errorType<{ id: string }>('acme.unknown_card', 404, {
  en: 'There is no card {id} any more. Load the list again.',
  zh: '卡片 {id} 已不存在，请刷新列表。',
})

const config = { access: 'admin' } as const

const cardBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 80 }),
  colour: Type.Union([Type.Literal('blue'), Type.Literal('red')]),
  stars: Type.Integer({ minimum: 1, maximum: 5 }),
})
const inPath = Type.Object({ id: Type.String({ maxLength: 64 }) })
const listSchema = {
  // What the API reference, /docs, says of the route.
  summary: 'List cards, newest first, by page',
  querystring: Type.Object({
    keyword: Type.Optional(Type.String({ maxLength: 80 })),
    colour: Type.Optional(Type.String({ maxLength: 10 })),
  }),
}

export function cardRoutes(app: RouteApp, database: DatabaseService): void {
  readingRoutes(app, database)
  writingRoutes(app, database)
}

function readingRoutes(app: RouteApp, database: DatabaseService): void {
  app.get('/api/acme', { config, schema: listSchema }, async ({ query }) => {
    const { page, pageSize } = readPage(query)
    const { keyword = '', colour = '' } = query
    const where = "WHERE (:colour = '' OR colour = :colour) AND LOWER(name) LIKE :like ESCAPE '!'"
    const values = { colour, like: `%${keyword.toLowerCase().replaceAll(/[!%_]/g, '!$&')}%` }
    const items = await database.select(
      `SELECT id, name, colour, stars, created_at FROM acme__cards ${where}
       ORDER BY created_at DESC, id LIMIT :size OFFSET :offset`,
      { ...values, size: pageSize, offset: (page - 1) * pageSize },
    )
    const [count] = await database.select<{ total: number }>(
      `SELECT CAST(COUNT(*) AS INTEGER) AS total FROM acme__cards ${where}`,
      values,
    )
    return envelope({ items, total: count?.total ?? 0 })
  })
}

function writingRoutes(app: RouteApp, database: DatabaseService): void {
  app.post('/api/acme', { config, schema: { body: cardBody } }, async ({ body }) => {
    const id = crypto.randomUUID()
    await database.run(
      'INSERT INTO acme__cards (id, name, colour, stars, created_at) VALUES (:id, :name, :colour, :stars, :now)',
      { ...body, id, now: Math.floor(Date.now() / 1000) },
    )
    return envelope({ id })
  })
  app.put(
    '/api/acme/:id',
    { config, schema: { params: inPath, body: cardBody } },
    async ({ params: { id }, body }) => {
      const changed = await database.run(
        'UPDATE acme__cards SET name = :name, colour = :colour, stars = :stars WHERE id = :id',
        { ...body, id },
      )
      if (changed === 0) throw unknownCard({ id })
      return envelope()
    },
  )
  app.delete('/api/acme/:id', { config, schema: { params: inPath } }, async ({ params }) => {
    await database.run('DELETE FROM acme__cards WHERE id = :id', params)
    return envelope()
  })
}
