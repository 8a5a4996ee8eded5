import type { FastifyInstance } from 'fastify'
import { Type, type Static } from '@sinclair/typebox'
import { envelope } from '../../contract/http.ts'
import type { OptionStore } from '../../kernel/options/option-store.ts'
import { maybe } from '../body-fields.ts'
import { actorOf } from './option-actor.ts'

const optionBody = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 64 }),
  value: maybe(Type.Union([Type.String({ maxLength: 4_194_304 }), Type.Boolean(), Type.Number()]), {
    description: 'Objects and lists as JSON text. Without it nothing is changed.',
  }),
  shown: maybe(Type.String({ maxLength: 4_194_304 }), {
    description:
      'The value as a page had read it: if somebody else has changed it since, nothing is written.',
  }),
  with: maybe(Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 65_536 })), {
    description: 'Further options of the same change, such as secrets that are bound to this one.',
  }),
})
type OptionBody = Static<typeof optionBody>

export function optionRoutes(app: FastifyInstance, options: OptionStore): void {
  const config = { access: 'options' } as const
  const listed = { summary: 'List the options with their values; secrets are only named' }
  app.get('/api/option', { config, schema: listed }, (request) =>
    envelope(options.list(), {
      secrets_set: options.secretsSet(),
      faults: options.faults(request.language),
    }),
  )

  const described = {
    summary: 'Describe all options by owner, as JSON Schema with their place in the form',
  }
  app.get('/api/option/schema', { config, schema: described }, () => envelope(options.groups()))

  app.put<{ Body: OptionBody }>(
    '/api/option',
    {
      config,
      schema: { summary: 'Set one option, together with others if need be', body: optionBody },
    },
    async (request) => {
      const { key, value, shown, with: others } = request.body
      // Older consoles send untouched secrets without a value, which means no change.
      if (value !== undefined && value !== null) {
        const values = { ...others, [key]: String(value) }
        const seen = typeof shown === 'string' ? { [key]: shown } : {}
        await options.setMany(values, actorOf(request), seen)
      }
      return envelope()
    },
  )

  const reset = { summary: 'Replace the model ratios by those that come with the gateway' }
  app.post('/api/option/rest_model_ratio', { config, schema: reset }, async (request) => {
    await options.set('ModelRatio', options.defaultOf('ModelRatio'), actorOf(request))
    const message =
      request.language === 'zh'
        ? '模型倍率已重置为默认值'
        : 'Model ratios were reset to the shipped table'
    return { ...envelope(), message }
  })
}
