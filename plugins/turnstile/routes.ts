import { envelope, type PluginServices, type RouteApp } from '#core'
import { proofBody } from './schema.ts'
import type { Turnstile } from './turnstile.ts'

/** Proves a pair of keys before the check is switched on: with wrong ones nobody could sign in to switch it off. */
export function turnstileRoutes(
  app: RouteApp,
  { options }: Pick<PluginServices, 'options'>,
  turnstile: Turnstile,
): void {
  app.post(
    '/api/turnstile/check',
    {
      config: { access: 'options' },
      schema: {
        summary: 'Check a pair of Turnstile keys before they are switched on',
        body: proofBody,
      },
    },
    async (request) => {
      const { token, secret } = request.body
      await turnstile.check(token, {
        secret: secret || options.get<string>('TurnstileSecretKey'),
        address: request.clientAddress,
      })
      return envelope()
    },
  )
}
