// After the settings of a sign-in provider name another issuer, the super admin decides here what happens to the
// identities of the old one.
import type { FastifyInstance } from 'fastify'
import { Type, type Static } from '@sinclair/typebox'
import { callerOf, envelope } from '../contract/http.ts'
import { manageRow } from '../contract/manage-row.ts'
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
  /** The issuer of the stored identities. */
  from: issuer,
  /** The current issuer, as the screen showed it. */
  to: issuer,
  /** `keep`: it is the same provider at another address, so its users are the same. `forget`: the identities are removed. */
  action: Type.Union([Type.Literal('keep'), Type.Literal('forget')]),
})
type DecisionBody = Static<typeof decisionBody>

export function issuerRoutes(app: FastifyInstance, deps: IssuerRouteDeps): void {
  // Runs before anybody can change the settings of the provider.
  app.addHook('onReady', () => markOldIdentities(deps, deps.providers))
  const listed = { summary: 'List sign-in providers that still have identities of another issuer' }
  app.get(
    '/api/oauth/issuers',
    { config: { access: 'options' }, schema: listed },
    async (request) => envelope(await changedIssuers(deps, deps.providers, request.language)),
  )
  // `keep` lets the users of one issuer into the accounts of another, so the right to change options is not enough.
  app.post<{ Body: DecisionBody }>(
    '/api/oauth/issuers',
    {
      config: { access: 'root', rate: 'critical', needsProof: true },
      schema: {
        summary: 'Keep or forget the identities of a former issuer; answers with their number',
        body: decisionBody,
      },
    },
    async (request) => {
      const accounts = await decide(deps, request.body)
      const { provider, from, to, action } = request.body
      const content = `Identities of ${provider} at ${from || '–'}: ${action} (${accounts})`
      const facts = { op: `issuer_${action}`, provider, from, to, accounts }
      deps.logs.write(manageRow(callerOf(request), content, facts))
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
