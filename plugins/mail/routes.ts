import type { FastifyInstance } from 'fastify'
import { envelope, errorType, type PluginServices } from '#core'
import type { Mailer } from './mailer.ts'
import { requestReset, resetPassword } from './reset.ts'
import { addressQuery, resetBody } from './schema.ts'
import type { AddressQuery, ResetBody } from './schema.ts'
import { sendVerificationCode } from './verification.ts'

const resetIncomplete = errorType('reset.incomplete', 400, {
  en: 'The link is incomplete. Open it from the mail again, or copy all of it.',
  zh: '链接不完整，请从邮件中重新打开，或完整复制链接。',
})
/** These routes send mails to addresses that the caller chooses. */
const guarded = { access: 'public', rate: 'critical', botCheck: true, demo: 'closed' } as const

export function mailRoutes(app: FastifyInstance, services: PluginServices, mailer: Mailer): void {
  const { accounts } = services
  app.get<{ Querystring: AddressQuery }>(
    '/api/verification',
    {
      config: guarded,
      schema: {
        summary: 'Mail a code that proves an address, to register or bind it',
        querystring: addressQuery,
      },
    },
    async (request) => {
      const { clientAddress: address, language } = request
      const email = accounts.emailForm(request.query.email ?? '')
      await sendVerificationCode(services, mailer, { email, language, address })
      return envelope()
    },
  )
  app.get<{ Querystring: AddressQuery }>(
    '/api/reset_password',
    {
      config: guarded,
      schema: {
        summary: 'Mail a link to reset a password; says nothing about unknown addresses',
        querystring: addressQuery,
      },
    },
    async (request) => {
      const { clientAddress: address, language } = request
      const email = accounts.emailForm(request.query.email ?? '')
      await requestReset(services, mailer, { email, language, address })
      return envelope()
    },
  )
  app.post<{ Body: ResetBody }>(
    '/api/user/reset',
    {
      config: { access: 'public', rate: 'critical' },
      compress: false,
      schema: { summary: 'Set a new password by a mailed link; answers with it', body: resetBody },
    },
    async (request) => {
      const email = accounts.emailForm(request.body.email ?? '')
      const token = (request.body.token ?? '').trim()
      if (email === '' || token === '') throw resetIncomplete()
      return envelope(await resetPassword(services, { email, token }))
    },
  )
}
