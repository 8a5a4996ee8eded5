// Routes for passkeys: signing in with one, alone or as the second factor, and managing one's own. Addresses,
// `data.options` and the browser's answer as the body are those of the public project QuantumNous/new-api
// (controller/passkey.go) in the versions that keep the challenge in the session. Later versions, with `flow_token`
// beside `credential`, use another protocol.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, envelope } from '../contract/http.ts'
import { optionOr, type OptionService } from '../contract/options.ts'
import { withoutUnseen } from '../accounts/account-rules.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Factors } from './factors.ts'
import { pendingSignInOf, refuseClosed, toSignedIn } from './complete.ts'
import { passkeyNameWrong, passkeyRefused, passkeysOff } from './passkey-errors.ts'
import {
  assertionBody,
  assertionOf,
  loginBeginBody,
  nameBody,
  passkeyInPath,
  registrationBody,
  registrationOf,
  type AssertionBody,
  type LoginBeginBody,
  type NameBody,
  type PasskeyInPath,
  type RegistrationBody,
} from './passkey-schema.ts'
import type { PasskeyCall, PasskeyQuestion, Passkeys } from './passkeys.ts'
import { passkeySiteOf } from './passkey-site.ts'

export interface PasskeyRouteDeps {
  accounts: Accounts
  factors: Factors
  options: OptionService
  passkeys: Passkeys
}

/** Also open on a demo site, because its super admin signs in this way. */
const open = { access: 'public', demo: 'open' } as const
const own = { access: 'user', beforeFactor: true } as const
const MAX_NAME = 64

export function passkeyRoutes(app: FastifyInstance, deps: PasskeyRouteDeps): void {
  loginRoutes(app, deps)
  registerRoutes(app, deps)
  listRoutes(app, deps)
}

/** @throws passkey.needs_domain, passkey.other_host */
export function passkeyCallOf(request: FastifyRequest, options: OptionService): PasskeyCall {
  const site = passkeySiteOf(request, options.get<string>('ServerAddress'))
  return { session: request.session, site }
}

function loginRoutes(app: FastifyInstance, deps: PasskeyRouteDeps): void {
  const { options, passkeys } = deps
  // Every sign-in page calls this when it opens, so it does not count towards the limit of critical routes.
  app.post<{ Body: LoginBeginBody }>(
    '/api/user/passkey/login/begin',
    {
      config: open,
      schema: {
        summary: 'Begin a sign-in by passkey; answers with the options for it',
        body: loginBeginBody,
      },
    },
    async (request) => {
      const question = await questionOf(deps, request, request.body?.second_factor === true)
      const publicKey = await passkeys.begin(passkeyCallOf(request, options), question)
      return envelope({ options: { publicKey } })
    },
  )
  app.post<{ Body: AssertionBody }>(
    '/api/user/passkey/login/finish',
    {
      config: { ...open, rate: 'critical' },
      schema: { summary: 'Sign in by passkey alone', body: assertionBody },
    },
    async (request, reply) => enter(deps, request, reply, await questionOf(deps, request, false)),
  )
  app.post<{ Body: AssertionBody }>(
    '/api/user/login/passkey',
    {
      config: { ...open, rate: 'critical' },
      schema: {
        summary: 'Finish a sign-in with a passkey as the second factor',
        body: assertionBody,
      },
    },
    async (request, reply) => enter(deps, request, reply, await questionOf(deps, request, true)),
  )
}

/** @throws passkey.off, second_factor.no_sign_in */
async function questionOf(
  { factors, options }: Pick<PasskeyRouteDeps, 'factors' | 'options'>,
  request: FastifyRequest,
  isSecond: boolean,
): Promise<PasskeyQuestion> {
  if (isSecond)
    return { purpose: 'second-factor', userId: (await pendingSignInOf(request, factors)).userId }
  refuseOff(options)
  return { purpose: 'sign-in' }
}

async function enter(
  { accounts, factors, options, passkeys }: PasskeyRouteDeps,
  request: FastifyRequest<{ Body: AssertionBody }>,
  reply: FastifyReply,
  question: PasskeyQuestion,
) {
  const call = passkeyCallOf(request, options)
  const userId = await passkeys.check(call, question, assertionOf(request.body))
  const passwordMark = await factors.passwordMark(userId)
  const user = await accounts.find(userId)
  if (!user) throw passkeyRefused()
  refuseClosed(user)
  // The passkey proves possession and the person, so no second factor follows. The session gets a new id and loses its
  // data.
  await request.session.signIn(reply, user.id, factors.admission(user.id, passwordMark))
  return envelope(toSignedIn(user))
}

function registerRoutes(app: FastifyInstance, { options, passkeys }: PasskeyRouteDeps): void {
  app.post(
    '/api/user/passkey/register/begin',
    {
      config: { ...own, needsProof: true },
      schema: { summary: 'Begin to register a passkey; answers with the options for it' },
    },
    async (request) => {
      refuseOff(options)
      const name = options.get<string>('SystemName')
      const call = passkeyCallOf(request, options)
      const publicKey = await passkeys.beginRegistration(call, callerOf(request), name)
      return envelope({ options: { publicKey } })
    },
  )
  app.post<{ Body: RegistrationBody }>(
    '/api/user/passkey/register/finish',
    {
      config: { ...own, rate: 'critical' },
      schema: { summary: 'Register a passkey', body: registrationBody },
    },
    async (request) => {
      refuseOff(options)
      const name = nameOf(request.body.name ?? 'Passkey')
      const about = { caller: callerOf(request), name }
      const call = passkeyCallOf(request, options)
      return envelope(await passkeys.register(call, about, registrationOf(request.body)))
    },
  )
}

function listRoutes(app: FastifyInstance, { passkeys }: PasskeyRouteDeps): void {
  const listed = { summary: "List one's own passkeys" }
  app.get('/api/user/passkey', { config: own, schema: listed }, async (request) => {
    const list = await passkeys.list(callerOf(request).id)
    const usedAt = Math.max(0, ...list.map(({ last_used_at: seconds }) => seconds))
    // Older consoles expect this time as text. The list has it in seconds.
    const last_used_at = usedAt === 0 ? null : new Date(usedAt * 1000).toISOString()
    return envelope({ enabled: list.length > 0, last_used_at, passkeys: list })
  })
  // For consoles that support only one passkey per user.
  app.delete(
    '/api/user/passkey',
    {
      config: { access: 'user', needsProof: true },
      schema: { summary: "Remove all of one's own passkeys" },
    },
    async (request) => {
      await passkeys.removeOwn(callerOf(request))
      return envelope()
    },
  )
  app.put<{ Params: PasskeyInPath; Body: NameBody }>(
    '/api/user/passkey/:id',
    {
      config: { access: 'user' },
      schema: { summary: 'Rename a passkey', params: passkeyInPath, body: nameBody },
    },
    async (request) => {
      await passkeys.rename(callerOf(request).id, request.params.id, nameOf(request.body.name))
      return envelope()
    },
  )
  app.delete<{ Params: PasskeyInPath }>(
    '/api/user/passkey/:id',
    {
      config: { access: 'user', needsProof: true },
      schema: { summary: 'Remove a passkey', params: passkeyInPath },
    },
    async (request) => {
      await passkeys.remove(callerOf(request), request.params.id)
      return envelope()
    },
  )
}

/** @throws passkey.name */
function nameOf(given: string): string {
  const name = withoutUnseen(given, ' ').trim()
  if (name === '' || name.length > MAX_NAME) throw passkeyNameWrong({}, { field: 'name' })
  return name
}

/** The option belongs to the plugin that offers the sign-in button. While it is off, existing passkeys still work as
 *  second factors.
 *  @throws passkey.off */
function refuseOff(options: OptionService): void {
  if (!optionOr(options, 'passkey.enabled', false)) throw passkeysOff()
}
