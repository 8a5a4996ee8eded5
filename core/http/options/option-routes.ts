import type { FastifyInstance } from 'fastify'
import { Type, type Static } from '@sinclair/typebox'
import { envelope } from '../../contract/http.ts'
import type { OptionStore } from '../../kernel/options/option-store.ts'
import { maybe } from '../body-fields.ts'
import { actorOf } from './option-actor.ts'

const optionBody = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 64 }),
  value: maybe(Type.Union([Type.String({ maxLength: 4_194_304 }), Type.Boolean(), Type.Number()])),
  /** The value as the page had read it: if somebody else has changed it since, nothing is written. */
  shown: maybe(Type.String({ maxLength: 4_194_304 })),
  /** Further options of the same change, such as secrets that are bound to this one. */
  with: maybe(Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 65_536 }))),
})
type OptionBody = Static<typeof optionBody>

export function optionRoutes(app: FastifyInstance, options: OptionStore): void {
  app.get('/api/option', { config: { access: 'options' } }, (request) =>
    envelope(options.list(), {
      secrets_set: options.secretsSet(),
      faults: options.faults(request.language),
    }),
  )

  app.get('/api/option/schema', { config: { access: 'options' } }, () => envelope(options.groups()))

  app.put<{ Body: OptionBody }>(
    '/api/option',
    { config: { access: 'options' }, schema: { body: optionBody } },
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

  app.post('/api/option/rest_model_ratio', { config: { access: 'options' } }, async (request) => {
    await options.set('ModelRatio', options.defaultOf('ModelRatio'), actorOf(request))
    const message =
      request.language === 'zh'
        ? '模型倍率已重置为默认值'
        : 'Model ratios were reset to the shipped table'
    return { ...envelope(), message }
  })
}
