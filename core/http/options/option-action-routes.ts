import type { FastifyInstance } from 'fastify'
import { Type, type Static } from '@sinclair/typebox'
import { envelope } from '../../contract/http.ts'
import type { OptionActions } from '../../kernel/options/option-actions.ts'
import { maybe } from '../body-fields.ts'
import { actorOf } from './option-actor.ts'

const actionBody = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 120 }),
  values: maybe(Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 65_536 })), {
    description: 'The values in the form, saved or not, by option.',
  }),
  input: maybe(Type.String({ maxLength: 1_024 })),
})

/** The buttons of the settings page that try the values in the form. */
export function optionActionRoutes(app: FastifyInstance, actions: OptionActions): void {
  const listed = { summary: 'List the actions that try values of options, such as a test mail' }
  app.get('/api/option/actions', { config: { access: 'options' }, schema: listed }, () =>
    envelope(actions.list()),
  )

  app.post<{ Body: Static<typeof actionBody> }>(
    '/api/option/action',
    {
      config: { access: 'options', rate: 'critical' },
      schema: { summary: 'Try values of options, which need not be saved', body: actionBody },
    },
    async (request) => {
      const { id, values, input } = request.body
      const call = { id, typed: values ?? {}, input: input ?? '' }
      const { language } = request
      return envelope(await actions.run({ ...call, actor: actorOf(request), language }))
    },
  )
}
