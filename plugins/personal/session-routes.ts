import type { FastifyInstance } from 'fastify'
import { callerOf, envelope, errorType, type PluginServices } from '#core'
import { addressClass } from './address-class.ts'
import { sessionParams, type SessionParams } from './schema.ts'

const sessionGone = errorType('personal.session_gone', 404, {
  en: 'This session has ended already.',
  zh: '该会话已结束。',
})

/** Shows where the user is signed in, and ends sessions. */
export function sessionRoutes(
  app: FastifyInstance,
  { accounts }: Pick<PluginServices, 'accounts'>,
): void {
  const config = { access: 'user' } as const
  const listed = { summary: 'List where the user is signed in' }
  app.get('/api/user/sessions', { config, schema: listed }, async (request) => {
    const list = await accounts.sessionsOf(callerOf(request).id)
    return envelope(
      list.map(({ address, ...session }) => ({
        ...session,
        address_class: addressClass(address),
        is_current: session.id === request.session.id,
      })),
    )
  })
  const others = { summary: "End all of one's sessions except this one" }
  app.delete('/api/user/sessions', { config, schema: others }, async (request) => {
    await accounts.endSessions(callerOf(request).id, request.session.id ?? undefined)
    return envelope()
  })
  app.delete<{ Params: SessionParams }>(
    '/api/user/sessions/:id',
    { config, schema: { summary: "End one of one's sessions", params: sessionParams } },
    async (request) => {
      const isEnded = await accounts.endSession(callerOf(request).id, request.params.id)
      if (!isEnded) throw sessionGone()
      return envelope()
    },
  )
}
