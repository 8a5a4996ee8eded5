import { expect, it } from 'vitest'
import { openApiDocument } from './openapi.ts'

it('describes many routes in pieces, so that calls go on in between', async () => {
  const routes = Array.from({ length: 400 }, (_, at) => ({
    method: at % 2 === 0 ? 'GET' : 'POST',
    path: `/api/thing${Math.ceil(at / 2)}/:id`,
    access: 'user' as const,
    owner: 'things',
    schema: { summary: `Call ${at}` },
  })) as unknown as Parameters<typeof openApiDocument>[0]
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const document = await openApiDocument(routes)
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(20)
  const paths = document['paths'] as Record<string, object>
  // The two calls of a path stay together where the pieces are cut between them.
  const both = Object.values(paths).filter((calls) => 'get' in calls && 'post' in calls)
  expect([Object.keys(paths).length, both.length]).toEqual([201, 199])
})
