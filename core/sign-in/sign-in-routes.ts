// Routes for signing in through a provider: the start, the callbacks, and the identities that are bound to an account.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from '@sinclair/typebox'
import { callerOf, envelope } from '../contract/http.ts'
import type {
  AuthProvider,
  DirectProvider,
  ProviderIdentity,
  RedirectProvider,
  SignInService,
} from '../contract/sign-in.ts'
import { AppError } from '../contract/errors.ts'
import { signInRequired } from '../accounts/account-errors.ts'
import { withoutUnseen } from '../accounts/account-rules.ts'
import { freshUntil, requireProof } from '../http/access/proof.ts'
import { bind, bindingsOf, unbind, type BindingDeps } from './bindings.ts'
import { issuerRoutes, type IssuerRouteDeps } from './issuer-routes.ts'
import { passkeyRoutes, type PasskeyRouteDeps } from './passkey-routes.ts'
import { proofRoutes, type ProofRouteDeps } from './proof-routes.ts'
import { secondFactorRoutes, type SecondFactorRouteDeps } from './second-factor-routes.ts'
import { accountOf, type AccountDeps } from './provider-account.ts'
import { codeMissing, providerOff, refusedByProvider, stateInvalid } from './sign-in-errors.ts'
import { authRequestOf, startSignIn, takeSignIn } from './states.ts'

export type SignInDeps = AccountDeps &
  BindingDeps &
  IssuerRouteDeps &
  SecondFactorRouteDeps &
  PasskeyRouteDeps &
  ProofRouteDeps & { signIn: SignInService }

const MAX_VALUE = 4096

const startQuery = Type.Object({
  aff: Type.Optional(Type.String({ maxLength: 64 })),
  provider: Type.Optional(Type.String({ maxLength: 32 })),
})
/** Providers add parameters of their own; only texts of limited length are accepted. */
const answerQuery = Type.Record(Type.String(), Type.String({ maxLength: MAX_VALUE }))
type AnswerQuery = Static<typeof answerQuery>
const unbindBody = Type.Object({ provider: Type.String({ minLength: 1, maxLength: 32 }) })

const open = { access: 'try-user', rate: 'critical' } as const

export function signInRoutes(app: FastifyInstance, deps: SignInDeps): void {
  startRoute(app, deps)
  bindingRoutes(app, deps)
  issuerRoutes(app, deps)
  secondFactorRoutes(app, deps)
  passkeyRoutes(app, deps)
  proofRoutes(app, deps)
  for (const provider of deps.providers) {
    if (provider.kind === 'redirect') redirectRoute(app, deps, provider)
    else directRoutes(app, deps, provider)
  }
}

/** Field of `/api/status`: the methods that the sign-in page offers besides the password. */
export function signInMethodsField(providers: readonly AuthProvider[]) {
  return {
    id: 'sign_in_methods',
    value: () =>
      providers
        .filter((provider) => provider.isEnabled())
        .map(({ id, name, kind, createsAccounts = true }) => ({
          id,
          name,
          kind,
          creates_accounts: createsAccounts,
        })),
  }
}

function startRoute(app: FastifyInstance, deps: SignInDeps): void {
  app.get<{ Querystring: Static<typeof startQuery> }>(
    '/api/oauth/state',
    {
      config: { ...open, access: 'public' },
      schema: {
        summary: 'Begin a sign-in at a provider: the state, and the address to send the user to',
        querystring: startQuery,
      },
    },
    async (request) => {
      const { aff = '', provider: id = '' } = request.query
      const provider = deps.providers.find((one) => one.id === id)
      if (id !== '' && !provider?.isEnabled()) throw providerOff()
      // Required before the user is sent to the provider, not after the return.
      if (id !== '' && request.session.userId !== null) requireProof(request)
      if (aff !== '') await request.session.set('aff', aff)
      const redirectUri = callbackOf(request, deps, id)
      const pending = await startSignIn(request.session, {
        provider: id,
        redirectUri,
        aff,
        isProved: freshUntil(request) > Date.now(),
      })
      if (provider?.kind !== 'redirect') return envelope(pending.state)
      const address = await provider.authorizeUrl(authRequestOf(pending))
      return envelope(pending.state, { authorize_url: address })
    },
  )
}

function redirectRoute(app: FastifyInstance, deps: SignInDeps, provider: RedirectProvider): void {
  app.get<{ Querystring: AnswerQuery }>(
    `/api/oauth/${provider.id}`,
    {
      config: { ...open, demo: 'sign-in' },
      schema: {
        summary: `Sign in through ${provider.name.en}, or bind it to the signed-in account`,
        querystring: answerQuery,
      },
    },
    async (request, reply) => {
      const { query } = request
      const { state = '', error = '', error_description: reason } = query
      if (error !== '') throw refusedByProvider({ reason: plain(reason || error) })
      const pending = await takeSignIn(request.session, { state, provider: provider.id })
      if (!pending) throw stateInvalid()
      if (!provider.isEnabled()) throw providerOff()
      const code = query[provider.codeParameter ?? 'code'] ?? ''
      if (code === '') throw codeMissing()
      const isBound = pending.provider !== ''
      const identity = await provider.identify({
        code,
        parameters: query,
        redirectUri: isBound ? pending.redirectUri : callbackOf(request, deps, provider.id),
        codeVerifier: isBound ? pending.codeVerifier : undefined,
        nonce: isBound ? pending.nonce : undefined,
      })
      if (request.session.userId === null)
        return enter(deps, provider, identity, { request, reply, aff: pending.aff })
      // A state belongs to one session, and signing in starts a new one, so this session was signed in at the start
      // too. Without a caller, its user is no longer let in.
      if (!request.caller) throw signInRequired()
      // A bound identity can sign in, so binding one needs a proof.
      if (!pending.isProved) requireProof(request)
      await bind(deps, request.caller, { provider, identity })
      return envelope(undefined, { message: 'bind' })
    },
  )
}

function directRoutes(app: FastifyInstance, deps: SignInDeps, provider: DirectProvider): void {
  const config = { ...open, fromOwnPages: true }
  const name = provider.name.en
  const schema = { summary: `Sign in through ${name}`, querystring: answerQuery }
  const identify = (request: FastifyRequest<{ Querystring: AnswerQuery }>) => {
    if (!provider.isEnabled()) throw providerOff()
    return provider.identify({ parameters: request.query, address: request.clientAddress })
  }
  for (const path of [`/api/oauth/${provider.id}`, `/api/oauth/${provider.id}/login`]) {
    app.get<{ Querystring: AnswerQuery }>(path, { config, schema }, async (request, reply) => {
      const identity = await identify(request)
      const aff = request.session.get<string>('aff') ?? ''
      return enter(deps, provider, identity, { request, reply, aff })
    })
  }
  app.get<{ Querystring: AnswerQuery }>(
    `/api/oauth/${provider.id}/bind`,
    {
      config: { ...config, demo: 'closed' },
      schema: { ...schema, summary: `Bind ${name} to the signed-in account` },
    },
    async (request, reply) => {
      const work = async () => {
        const { caller } = request
        if (!caller) throw signInRequired()
        requireProof(request)
        const identity = await identify(request)
        await bind(deps, caller, { provider, identity })
      }
      if (provider.bindsByNavigation) return leadOn(request, reply, work)
      await work()
      return envelope()
    },
  )
}

async function enter(
  deps: SignInDeps,
  provider: AuthProvider,
  identity: ProviderIdentity,
  { request, reply, aff }: { request: FastifyRequest; reply: FastifyReply; aff: string },
) {
  const { language } = request
  const user = await accountOf(deps, provider, identity, { aff, language })
  return envelope(await deps.signIn.complete(request, reply, user))
}

/** The browser has opened this address as a page, so it always gets the console, which shows the result. */
async function leadOn(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<void>,
): Promise<FastifyReply> {
  try {
    await work()
    return reply.redirect('/setting')
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'auth.required') return reply.redirect('/login?expired=true')
    const reason = error.messageIn(request.language)
    return reply.redirect(`/setting?error=${encodeURIComponent(reason)}`)
  }
}

function bindingRoutes(app: FastifyInstance, deps: SignInDeps): void {
  const schema = { summary: "List the sign-in providers, with one's own identity at each" }
  app.get('/api/user/identities', { config: { access: 'user' }, schema }, async (request) =>
    envelope(await bindingsOf(deps, callerOf(request).id)),
  )
  app.post<{ Body: Static<typeof unbindBody> }>(
    '/api/user/unbind',
    {
      config: { access: 'user', rate: 'critical', needsProof: true },
      schema: {
        summary: 'Unbind an identity, unless it is the last way to sign in',
        body: unbindBody,
      },
    },
    async (request) => {
      await unbind(deps, callerOf(request), request.body.provider)
      return envelope()
    },
  )
}

/** The address of the console's page; without ServerAddress, on the origin that the browser called. */
function callbackOf(request: FastifyRequest, { options }: SignInDeps, id: string): string {
  const address = options.get<string>('ServerAddress')
  const page = `${address || `${request.protocol}://${request.host}`}/oauth/${id}`
  // Providers compare this address letter by letter, and libraries send it in this normalized form.
  return URL.canParse(page) ? new URL(page).href : page
}

/** A link can contain any text. It is shown as the provider's answer, shortened and on one line. */
function plain(text: string): string {
  return withoutUnseen(text, ' ').slice(0, 200)
}
