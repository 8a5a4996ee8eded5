import type { FastifyInstance } from 'fastify'
import { envelope, type PluginServices } from '#core'
import { checkOpen, register } from './register.ts'
import { registerBody, signInBody, type RegisterBody } from './schema.ts'
import type { SignInBody } from './schema.ts'
import { identifyByPassword } from './sign-in.ts'

const guarded = { access: 'public', rate: 'critical', botCheck: true } as const

export function authPasswordRoutes(app: FastifyInstance, services: PluginServices): void {
  app.post<{ Body: SignInBody }>(
    '/api/user/login',
    { config: guarded, schema: { body: signInBody } },
    async (request, reply) => {
      const user = await identifyByPassword(services, request.body, request)
      return envelope(await services.signIn.complete(request, reply, user))
    },
  )
  app.post<{ Body: RegisterBody }>(
    '/api/user/register',
    {
      config: guarded,
      schema: { body: registerBody },
      // Said before anything about the body.
      preValidation: async () => checkOpen(services),
    },
    async (request) => {
      await register(services, request.body, request.clientAddress)
      return envelope()
    },
  )
}
