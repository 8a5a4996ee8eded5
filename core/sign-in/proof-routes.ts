// Routes with which a signed-in user proves the identity again. Routes that need it say `needsProof`; a proof is valid
// for a while.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type, type Static } from '@sinclair/typebox'
import { callerOf, envelope } from '../contract/http.ts'
import type { OptionService } from '../contract/options.ts'
import type { GuessService } from '../contract/services.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { freshUntil, PROVED_AT } from '../http/access/proof.ts'
import type { Factors } from './factors.ts'
import { assertionBody, assertionOf, type AssertionBody } from './passkey-schema.ts'
import { passkeyCallOf } from './passkey-routes.ts'
import type { Passkeys } from './passkeys.ts'
import type { SecondFactors } from './second-factors.ts'
import { factorCodeMissing, proofNeedsSession, proofPasswordWrong } from './sign-in-errors.ts'

export interface ProofRouteDeps {
  accounts: Accounts
  factors: Factors
  guesses: GuessService
  options: OptionService
  passkeys: Passkeys
  secondFactors: SecondFactors
}

const proofBody = Type.Union([
  Type.Object({ method: Type.Literal('password'), password: Type.String({ maxLength: 1024 }) }),
  Type.Object({
    /** `2fa` is the name in older consoles. */
    method: Type.Union([Type.Literal('totp'), Type.Literal('2fa')]),
    code: Type.String({ maxLength: 32 }),
  }),
])
type ProofBody = Static<typeof proofBody>

const own = { access: 'user', beforeFactor: true } as const

export function proofRoutes(app: FastifyInstance, deps: ProofRouteDeps): void {
  const { options, passkeys } = deps
  const known = {
    summary: 'List the ways to prove the identity, and until when the last proof holds',
  }
  app.get('/api/verify', { config: own, schema: known }, async (request) =>
    envelope({
      methods: await methodsOf(deps, callerOf(request).id),
      fresh_until: Math.floor(freshUntil(request) / 1000),
    }),
  )
  app.post<{ Body: ProofBody }>(
    '/api/verify',
    {
      config: { ...own, rate: 'critical' },
      schema: {
        summary: 'Prove the identity by password or code; for a session, not an access token',
        body: proofBody,
      },
    },
    async (request) => {
      refuseToken(request)
      await check(deps, request)
      return proved(request)
    },
  )
  const begin = { summary: 'Begin a proof of identity by passkey; answers with the options for it' }
  app.post('/api/user/passkey/verify/begin', { config: own, schema: begin }, async (request) => {
    refuseToken(request)
    const question = { purpose: 'proof', userId: callerOf(request).id } as const
    const publicKey = await passkeys.begin(passkeyCallOf(request, options), question)
    return envelope({ options: { publicKey } })
  })
  app.post<{ Body: AssertionBody }>(
    '/api/user/passkey/verify/finish',
    {
      config: { ...own, rate: 'critical' },
      schema: {
        summary: 'Prove the identity by passkey; for a session, not an access token',
        body: assertionBody,
      },
    },
    async (request) => {
      refuseToken(request)
      const question = { purpose: 'proof', userId: callerOf(request).id } as const
      const call = passkeyCallOf(request, options)
      await passkeys.check(call, question, assertionOf(request.body))
      return proved(request)
    },
  )
}

/** Empty if only a new sign-in proves it. */
async function methodsOf({ accounts, factors }: ProofRouteDeps, userId: number) {
  const password = (await accounts.hasPassword(userId)) ? (['password'] as const) : []
  return [...(await factors.kindsOf(userId)), ...password]
}

/** @throws auth.proof_password_wrong, second_factor.*, guesses.too_many */
async function check(
  { accounts, guesses, secondFactors }: ProofRouteDeps,
  request: FastifyRequest<{ Body: ProofBody }>,
): Promise<void> {
  const { id } = callerOf(request)
  const { body, clientAddress: address } = request
  if (body.method !== 'password') {
    const code = body.code.trim()
    if (code === '') throw factorCodeMissing({}, { field: 'code' })
    return secondFactors.check(id, code, request)
  }
  // Guesses are limited here as well, because the session may be a stolen one.
  const guess = { kind: 'own-password', subject: String(id), address }
  const isRight = async () => (await accounts.checkPassword(id, body.password)) || undefined
  if (!(await guesses.judge(guess, isRight))) throw proofPasswordWrong({}, { field: 'password' })
}

async function proved(request: FastifyRequest) {
  await request.session.set(PROVED_AT, Date.now())
  return envelope({ fresh_until: Math.floor(freshUntil(request) / 1000) })
}

/** @throws auth.proof_needs_session */
function refuseToken(request: FastifyRequest): void {
  if (callerOf(request).by !== 'session') throw proofNeedsSession()
}
