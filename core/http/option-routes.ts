import type { FastifyInstance } from 'fastify'
import { Type } from '@sinclair/typebox'
import { callerOf, envelope } from '../contract/http.ts'
import type { OptionStore } from '../kernel/option-store.ts'
import { maybe } from './body-fields.ts'

const optionBody = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 64 }),
  value: maybe(Type.Union([Type.String({ maxLength: 4_194_304 }), Type.Boolean(), Type.Number()])),
})

export function optionRoutes(app: FastifyInstance, options: OptionStore): void {
  app.get('/api/option', { config: { access: 'options' } }, () =>
    envelope(options.list(), { secrets_set: options.secretsSet() }),
  )

  app.put<{ Body: { key: string; value?: string | number | boolean | null } }>(
    '/api/option',
    { config: { access: 'options' }, schema: { body: optionBody } },
    async (request) => {
      const { key, value } = request.body
      // Older consoles send untouched secrets without a value: no change.
      if (value !== undefined && value !== null)
        await options.set(key, String(value), callerOf(request))
      return envelope()
    },
  )

  app.post('/api/option/rest_model_ratio', { config: { access: 'options' } }, async (request) => {
    await options.set('ModelRatio', options.defaultOf('ModelRatio'), callerOf(request))
    const message =
      request.language === 'zh'
        ? '模型倍率已重置为默认值'
        : 'Model ratios were reset to the shipped table'
    return { ...envelope(), message }
  })
}
