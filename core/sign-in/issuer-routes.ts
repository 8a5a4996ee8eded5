// The way on after a sign-in provider has been exchanged for another: the super admin says what becomes of the identities that the old one gave.
import type { FastifyInstance } from 'fastify'
import { Type, type Static } from '@sinclair/typebox'
import { logType } from '../contract/constants.ts'
import { callerOf, envelope } from '../contract/http.ts'
import type { LogService } from '../contract/money-services.ts'
import type { AuthProvider } from '../contract/sign-in.ts'
import {
  changedIssuers,
  currentIssuer,
  forgetIdentities,
  keepIdentities,
  markOldIdentities,
  type IssuerDeps,
} from './issuers.ts'
import { issuerMoved, issuerUnknown } from './sign-in-errors.ts'

export type IssuerRouteDeps = IssuerDeps & { logs: LogService; providers: readonly AuthProvider[] }

const issuer = Type.String({ maxLength: 2048 })
const decisionBody = Type.Object({
  provider: Type.String({ minLength: 1, maxLength: 32 }),
  /** The issuer that the identities are of. */
  from: issuer,
  /** The one of today, as the screen showed it. */
  to: issuer,
  /** `keep`: the same people at another address. `forget`: the identities are removed. */
  action: Type.Union([Type.Literal('keep'), Type.Literal('forget')]),
})
type DecisionBody = Static<typeof decisionBody>

export function issuerRoutes(app: FastifyInstance, deps: IssuerRouteDeps): void {
  // Before anybody can change what the settings name.
  app.addHook('onReady', () => markOldIdentities(deps, deps.providers))
  app.get('/api/oauth/issuers', { config: { access: 'options' } }, async (request) =>
    envelope(await changedIssuers(deps, deps.providers, request.language)),
  )
  // Whoever names an issuer's people as those of another lets that one into their accounts: no matter for whoever may change options.
  app.post<{ Body: DecisionBody }>(
    '/api/oauth/issuers',
    {
      config: { access: 'root', rate: 'critical', needsProof: true },
      schema: { body: decisionBody },
    },
    async (request) => {
      const accounts = await decide(deps, request.body)
      const { id, username } = callerOf(request)
      const { provider, from, to, action } = request.body
      deps.logs.write({
        user_id: id,
        username,
        type: logType.manage,
        content: `Identities of ${provider} at ${from || '–'}: ${action} (${accounts})`,
        other: JSON.stringify({ op: `issuer_${action}`, provider, from, to, accounts }),
      })
      return envelope({ accounts })
    },
  )
}

/** @throws sign_in.issuer_unknown, sign_in.issuer_moved */
async function decide(
  deps: IssuerRouteDeps,
  { provider: id, from, to, action }: DecisionBody,
): Promise<number> {
  const provider = deps.providers.find((one) => one.id === id)
  if (!provider?.issuer) throw issuerUnknown()
  const current = await currentIssuer(provider)
  if (current !== to || current === '' || current === from) throw issuerMoved()
  if (action === 'keep') return keepIdentities(deps, { provider: id, from, to })
  return forgetIdentities(deps, { provider: id, from })
}
