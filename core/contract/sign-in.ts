// Ways to sign in. Core owns the flow (state, identity, account, session); a method says who somebody is. Implemented in core/sign-in.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserRecord } from './account-services.ts'
import type { AppError, Text } from './errors.ts'

/** A way to sign in, and to bind an account. The union's tag is how the browser gets there. */
export type AuthProvider = RedirectProvider | DirectProvider

interface AuthMethod {
  /** Kept with every identity and part of the addresses (`/oauth/<id>`, `/api/oauth/<id>`): lower-case letters, digits, hyphens. */
  id: string
  /** On the button and in the list of bindings. */
  name: Text
  isEnabled(): boolean
  /** False: whoever is unknown is refused; accounts are only bound. Default true. */
  createsAccounts?: boolean
  /** Of a method whose provider the operator names: which one it is. Its identities are kept apart from those of any other, so that an equal
   *  subject there meets no stranger's account. */
  issuer?: IdentityIssuer
  /** Of the user name of accounts whose identity brings none: `<prefix>_<number>`. Default: the id. */
  usernamePrefix?: string
}

/** At most 2048 characters; a slash at the end makes no difference. */
export interface IdentityIssuer {
  /** What the settings name, known without asking anybody; empty: nothing. Identities that were stored before issuers were kept count as its. */
  configured(): string
  /** As identities have it; may ask the provider. @throws AppError */
  current(): string | Promise<string>
}

/** The browser goes to the provider's page and comes back to `/oauth/<id>` with a code and the state that core made. */
export interface RedirectProvider extends AuthMethod {
  kind: 'redirect'
  /** The provider's page. What the provider does not take may be left out, but never the state. */
  authorizeUrl(request: AuthRequest): string | Promise<string>
  /** Exchanges the code. The state has been checked and used up. @throws AppError for what a person can understand */
  identify(answer: AuthAnswer): Promise<ProviderIdentity>
}

/** The browser brings the proof itself: a code from another device, the signed answer of a widget. */
export interface DirectProvider extends AuthMethod {
  kind: 'direct'
  /** Whoever checks something that could be guessed does so inside `guesses.judge`. @throws AppError */
  identify(proof: DirectProof): Promise<ProviderIdentity>
  /** The bind address is opened as a page: it leads to `/setting` in place of an envelope. */
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
  code: string
  /** All of the callback's query. */
  parameters: Readonly<Record<string, string>>
  redirectUri: string
  /** Undefined when the browser built the provider's address itself, as older consoles do: then no challenge and no nonce was sent. */
  codeVerifier: string | undefined
  nonce: string | undefined
}

export interface DirectProof {
  parameters: Readonly<Record<string, string>>
  /** The client's. */
  address: string
}

export interface ProviderIdentity {
  /** Never given to somebody else by the provider: a number or `sub`, no name and no address. */
  subject: string
  /** Of a method with `issuer`: who gave the subject, as known from this answer. Default: what its settings name. */
  issuer?: string
  username?: string | undefined
  display_name?: string | undefined
  /** Kept only when verified, free and allowed here. It never leads to an account. */
  email?: string | undefined
  isEmailVerified?: boolean
  /** Why no account is made for this identity; whoever has one gets in all the same. */
  refusal?: AppError | undefined
}

/** What the console stores of the signed-in user. */
export type SignedInUser = Pick<
  UserRecord,
  'id' | 'username' | 'display_name' | 'role' | 'status' | 'group'
>

/** `totp`: codes of an authenticator, or recovery codes. */
export type FactorKind = 'totp' | 'passkey'

/** Nobody is signed in yet: `POST /api/user/login/2fa` wants a code of the authenticator, or `POST /api/user/login/passkey` a passkey. */
export interface SecondFactorNeeded {
  require_2fa: true
  /** Which of them the account has. */
  methods: FactorKind[]
}

export interface SignInService {
  /** For routes that ask only sometimes; the others say `config.needsProof`. @throws auth.proof_needed */
  requireProof(request: FastifyRequest): void
  /** The last step of every sign-in, when it is known who it is: a new session id, and what the console stores; or that a second factor is
   *  asked for. Either is the answer's `data`.
   *  @param passwordMark of the password that was shown: where it was changed since, nobody gets in by it
   *  @throws sign_in.banned, sign_in.deregistered, second_factor.no_sign_in */
  complete(
    request: FastifyRequest,
    reply: FastifyReply,
    user: UserRecord,
    passwordMark?: string,
  ): Promise<SignedInUser | SecondFactorNeeded>
}
