import { callerOf, envelope, errorType, type PluginServices, type RouteApp } from '#core'
import { checkOpen, register } from './register.ts'
import { useEmailCode } from './email-code.ts'
import { emailQuery, registerBody, signInBody } from './schema.ts'
import { identifyByPassword } from './sign-in.ts'

const emailIncomplete = errorType('email_bind.incomplete', 400, {
  en: 'Enter the e-mail address and the verification code.',
  zh: '请输入邮箱地址和验证码。',
})

const guarded = { access: 'public', rate: 'critical', botCheck: true } as const

export function authPasswordRoutes(app: RouteApp, services: PluginServices): void {
  app.post(
    '/api/user/login',
    {
      config: { ...guarded, demo: 'open' },
      schema: {
        summary: 'Sign in by name or e-mail address; `require_2fa`: a second factor follows',
        body: signInBody,
      },
    },
    async (request, reply) => {
      const { user, passwordMark } = await identifyByPassword(services, request.body, request)
      return envelope(await services.signIn.complete(request, reply, user, passwordMark))
    },
  )
  app.post(
    '/api/user/register',
    {
      config: guarded,
      schema: { summary: 'Register an account; does not sign in', body: registerBody },
      // Checked before anything about the body.
      preValidation: () => checkOpen(services),
    },
    async (request) => {
      const { clientAddress: address, language } = request
      await register(services, request.body, { address, language })
      return envelope()
    },
  )
  emailRoute(app, services)
}

/** Sets the address of the signed-in user, who has proved it with a mailed code. */
function emailRoute(app: RouteApp, services: PluginServices): void {
  app.get(
    '/api/oauth/email/bind',
    {
      config: {
        access: 'session',
        rate: 'critical',
        fromOwnPages: true,
        needsProof: true,
        demo: 'closed',
      },
      schema: {
        summary: "Set one's e-mail address, proved by a mailed code",
        querystring: emailQuery,
      },
    },
    async (request) => {
      const email = services.accounts.emailForm(request.query.email ?? '')
      const code = (request.query.code ?? '').trim()
      if (email === '' || code === '') throw emailIncomplete({}, { field: 'email' })
      services.accounts.checkEmail(email)
      await useEmailCode(services, { email, code, address: request.clientAddress })
      const caller = callerOf(request)
      await services.accounts.update(caller.id, { email }, { caller })
      return envelope()
    },
  )
}
