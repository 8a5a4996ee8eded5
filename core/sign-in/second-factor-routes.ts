// Routes for the second factor: the second step of a sign-in, one's own authenticator, the reset by an admin.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type, type Static } from '@sinclair/typebox'
import { type Caller, callerOf, envelope } from '../contract/http.ts'
import { manageRow } from '../contract/manage-row.ts'
import type { LogService } from '../contract/money-services.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { pendingSignInOf, refuseClosed, toSignedIn } from './complete.ts'
import type { Factors } from './factors.ts'
import type { SecondFactors } from './second-factors.ts'
import {
  factorCodeMissing,
  factorIsOff,
  factorNeedsSignIn,
  factorOutOfReach,
} from './sign-in-errors.ts'

export interface SecondFactorRouteDeps {
  accounts: Accounts
  logs: LogService
  factors: Factors
  secondFactors: SecondFactors
}

const codeBody = Type.Object({
  code: Type.Optional(Type.Union([Type.String({ maxLength: 32 }), Type.Null()])),
})
type CodeBody = Static<typeof codeBody>
const userInPath = Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) })

const own = { access: 'user', rate: 'critical', beforeFactor: true } as const

export function secondFactorRoutes(app: FastifyInstance, deps: SecondFactorRouteDeps): void {
  signInRoute(app, deps)
  ownRoutes(app, deps)
  // Older consoles reset authenticator and passkeys separately, at these two addresses. Here both remove everything,
  // because a factor that remained would still let its owner in.
  for (const path of ['/api/user/:id/2fa', '/api/user/:id/reset_passkey']) {
    app.delete<{ Params: Static<typeof userInPath> }>(
      path,
      {
        config: { access: 'admin', needsProof: true },
        schema: {
          summary: 'Remove all second factors of a user, authenticator and passkeys alike',
          params: userInPath,
        },
      },
      async (request) => {
        await resetFactors(deps, callerOf(request), request.params.id)
        return envelope()
      },
    )
  }
}

/** @throws second_factor.out_of_reach, second_factor.off */
async function resetFactors(
  { accounts, factors, logs }: SecondFactorRouteDeps,
  caller: Caller,
  userId: number,
): Promise<void> {
  const target = await accounts.find(userId)
  if (!target || target.role >= caller.role) throw factorOutOfReach()
  if (!(await factors.removeAll(target.id, caller))) throw factorIsOff()
  const content = `Second factors (authenticator, passkeys) reset by ${caller.username}`
  logs.write(manageRow(target, content, { op: 'factors_reset', by: caller.username }))
}

function signInRoute(
  app: FastifyInstance,
  { accounts, factors, secondFactors }: SecondFactorRouteDeps,
) {
  app.post<{ Body: CodeBody }>(
    '/api/user/login/2fa',
    {
      config: { access: 'public', rate: 'critical', demo: 'open' },
      schema: {
        summary: 'Finish a sign-in with a code of the authenticator or a recovery code',
        body: codeBody,
      },
    },
    async (request, reply) => {
      const { userId, passwordMark } = await pendingSignInOf(request, factors)
      const user = await accounts.find(userId)
      if (!user) throw factorNeedsSignIn()
      refuseClosed(user)
      await secondFactors.check(user.id, codeOf(request), request)
      // The session gets a new id and loses its data.
      await request.session.signIn(reply, user.id, factors.admission(user.id, passwordMark))
      return envelope(toSignedIn(user))
    },
  )
}

function ownRoutes(app: FastifyInstance, { secondFactors }: SecondFactorRouteDeps): void {
  const withCode = (summary: string) => ({ config: own, schema: { summary, body: codeBody } })
  app.get(
    '/api/user/2fa/status',
    {
      config: { access: 'user', beforeFactor: true },
      schema: {
        summary: 'Show whether the authenticator is on, and how many recovery codes are left',
      },
    },
    async (request) => envelope(await secondFactors.status(callerOf(request).id)),
  )
  app.post(
    '/api/user/2fa/setup',
    {
      config: { ...own, needsProof: true },
      compress: false,
      schema: { summary: 'Create an authenticator secret with recovery codes, to be enabled next' },
    },
    async (request) => envelope(await secondFactors.setUp(callerOf(request))),
  )
  const enable = withCode('Switch the authenticator on, with its first code')
  app.post<{ Body: CodeBody }>('/api/user/2fa/enable', enable, async (request) => {
    await secondFactors.enable(callerOf(request), codeOf(request), request)
    return envelope()
  })
  const disable = withCode('Remove the authenticator, with one of its codes or a recovery code')
  app.post<{ Body: CodeBody }>('/api/user/2fa/disable', disable, async (request) => {
    const caller = callerOf(request)
    await secondFactors.check(caller.id, codeOf(request), request)
    await secondFactors.removeOwn(caller)
    return envelope()
  })
  app.post<{ Body: CodeBody }>(
    '/api/user/2fa/backup_codes',
    { ...withCode('Replace the recovery codes; the old ones stop working'), compress: false },
    async (request) => {
      const caller = callerOf(request)
      await secondFactors.check(caller.id, codeOf(request), request)
      return envelope({ backup_codes: await secondFactors.renewCodes(caller) })
    },
  )
}

/** @throws second_factor.code_missing */
function codeOf(request: FastifyRequest<{ Body: CodeBody }>): string {
  const code = (request.body.code ?? '').trim()
  if (code === '') throw factorCodeMissing({}, { field: 'code' })
  return code
}
