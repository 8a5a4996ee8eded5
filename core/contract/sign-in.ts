// Ways to sign in. Core owns the flow (state, identity, account, session); a method says who somebody is. Implemented in core/sign-in.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserRecord } from './account-services.ts'
import type { AppError, Text } from './errors.ts'

/** A way to sign in, and to bind an account. The union's tag is how the browser gets there. */
export type AuthProvider = RedirectProvider | DirectProvider

interface AuthMethod {
  /** Stored with every identity and part of the addresses (`/oauth/<id>`, `/api/oauth/<id>`): lower-case letters, digits, hyphens. */
  id: string
  /** Name on the button and in the list of bindings. */
  name: Text
  isEnabled(): boolean
  /** False: it creates no accounts, and unknown people are refused. Default true. */
  createsAccounts?: boolean
  /** For a method whose provider the operator names: identifies that provider. Its identities are kept apart from those of any other, so that
   *  an equal subject at another provider does not open a stranger's account. */
  issuer?: IdentityIssuer
  /** Prefix of user names for identities without one: `<prefix>_<number>`. Default: the id. */
  usernamePrefix?: string
}

/** Issuers have at most 2048 characters; a trailing slash makes no difference. */
export interface IdentityIssuer {
  /** The issuer that the settings name, known without a request; empty: none. Identities stored before issuers were recorded count as its own. */
  configured(): string
  /** The issuer as identities carry it, where the settings do not tell it and the provider must be asked. @throws AppError */
  current?(): string | Promise<string>
}

/** The browser goes to the provider's page and comes back to `/oauth/<id>` with the provider's answer and the state that core made. */
export interface RedirectProvider extends AuthMethod {
  kind: 'redirect'
  /** The parameter of the callback that holds the code, where the provider calls it otherwise: `ticket` of CAS, `oauth_verifier` of OAuth 1.
   *  Without it in the callback nobody is signed in. Default: `code`. */
  codeParameter?: string
  /** The provider's page. Leave out parameters that the provider does not support, but never the state. */
  authorizeUrl(request: AuthRequest): string | Promise<string>
  /** Exchanges the code. The state has been checked and used up. @throws AppError with a message for the user */
  identify(answer: AuthAnswer): Promise<ProviderIdentity>
}

/** The browser brings the proof itself: a code from another device, the signed answer of a widget. */
export interface DirectProvider extends AuthMethod {
  kind: 'direct'
  /** Check anything that could be guessed inside `guesses.judge`. @throws AppError */
  identify(proof: DirectProof): Promise<ProviderIdentity>
  /** The bind address is opened as a page: it redirects to `/setting` instead of answering with an envelope. */
  bindsByNavigation?: boolean
}

export interface AuthRequest {
  state: string
  /** For the ID token. */
  nonce: string
  /** Of PKCE, method S256. */
  codeChallenge: string
  /** The callback page of this site. */
  redirectUri: string
}

export interface AuthAnswer {
  /** The value of `codeParameter`; never empty. */
  code: string
  /** All of the callback's query, with the state. */
  parameters: Readonly<Record<string, string>>
  redirectUri: string
  /** Undefined if the browser built the provider's address itself, as older consoles do: then no challenge or nonce was sent. */
  codeVerifier: string | undefined
  nonce: string | undefined
}

export interface DirectProof {
  parameters: Readonly<Record<string, string>>
  /** The client's. */
  address: string
}

export interface ProviderIdentity {
  /** An id that the provider never gives to somebody else: a number or `sub`, not a name or address. */
  subject: string
  /** For a method with `issuer`: who issued the subject, according to this answer. Default: the issuer that the settings name. */
  issuer?: string
  username?: string | undefined
  display_name?: string | undefined
  /** Stored only if verified, unused and allowed here. It never identifies an account. */
  email?: string | undefined
  isEmailVerified?: boolean
  /** Why no account is created for this identity; a user who already has one still gets in. */
  refusal?: AppError | undefined
}

/** What the console stores of the signed-in user. */
export type SignedInUser = Pick<
  UserRecord,
  'id' | 'username' | 'display_name' | 'role' | 'status' | 'group'
>

/** `totp`: codes of an authenticator, or recovery codes. */
export type FactorKind = 'totp' | 'passkey'

/** Nobody is signed in yet: `POST /api/user/login/2fa` must bring a code of the authenticator, or `POST /api/user/login/passkey` a passkey. */
export interface SecondFactorNeeded {
  require_2fa: true
  /** Which of them the account has. */
  methods: FactorKind[]
}

export interface SignInService {
  /** For routes that need proof only sometimes; the others set `config.needsProof`. @throws auth.proof_needed */
  requireProof(request: FastifyRequest): void
  /** The last step of every sign-in, once the user is known: issues a new session id and returns what the console stores, or that a second factor
   *  is needed. Either is the answer's `data`.
   *  @param passwordMark of the password that was given: if the password has changed since, sign-in fails
   *  @throws sign_in.banned, sign_in.deregistered, second_factor.no_sign_in */
  complete(
    request: FastifyRequest,
    reply: FastifyReply,
    user: UserRecord,
    passwordMark?: string,
  ): Promise<SignedInUser | SecondFactorNeeded>
}
