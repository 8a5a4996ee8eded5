import type { FastifyInstance } from 'fastify'
import { Type, type Static } from '@sinclair/typebox'
import { envelope, readPage } from '../../contract/http.ts'
import type { OptionHistory } from '../../kernel/options/option-history.ts'
import { maybe } from '../body-fields.ts'
import { actorOf } from './option-actor.ts'

const MAX_KEYS = 200

const historyQuery = Type.Object({
  key: maybe(Type.String({ maxLength: MAX_KEYS * 65 }), {
    description: 'Names separated by commas; all if it is missing.',
  }),
  p: maybe(Type.String(), { description: 'Page, from 1.' }),
  page_size: maybe(Type.String(), { description: 'At most 100; 10 if it is missing.' }),
})

const rollBackBody = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  to: maybe(Type.Union([Type.Literal('new'), Type.Literal('old')]), {
    description: '`old`: the value from before the change; otherwise the one that it set.',
  }),
})

/** Whoever may read and save options may see who changed them, and restore values. */
export function optionHistoryRoutes(app: FastifyInstance, history: OptionHistory): void {
  app.get<{ Querystring: Static<typeof historyQuery> }>(
    '/api/option/history',
    {
      config: { access: 'options' },
      schema: {
        summary: 'List who changed which option, newest first, by page',
        querystring: historyQuery,
      },
    },
    async (request) => {
      const keys = (request.query.key ?? '').split(',').filter((key) => key !== '')
      const { page, pageSize } = readPage(request.query)
      const { items, total } = await history.list(keys.slice(0, MAX_KEYS), { page, pageSize })
      return envelope({ items, total, page, page_size: pageSize })
    },
  )

  app.post<{ Body: Static<typeof rollBackBody> }>(
    '/api/option/rollback',
    {
      config: { access: 'options' },
      schema: {
        summary: 'Restore the value of an option from before or after a change',
        body: rollBackBody,
      },
    },
    async (request) => {
      await history.rollBack(request.body.id, request.body.to ?? 'new', actorOf(request))
      return envelope()
    },
  )
}
