// Accounts as plugins see them. Implemented in core/accounts.
import type { Transaction } from 'sequelize'
import type { UserRecord } from '../data/models/user.ts'
import type { Standing } from './http.ts'

export type { UserRecord }

export interface UserSetting {
  /** The id of a notifier; `email` where none is named. */
  notify_type?: string
  quota_warning_threshold?: number
  webhook_url?: string
  webhook_secret?: string
  notification_email?: string
  accept_unset_model_ratio_model?: boolean
  /** Of mails and notices. */
  language?: 'en' | 'zh'
}

export interface UserSession {
  id: string
  /** Unix seconds. */
  created_at: number
  last_used_at: number
  address: string
  user_agent: string
}

export interface Actor {
  id: number
  username: string
  role: number
}

/** Codes and links that are sent to an address: hashed at rest, single use. A short code bears a hundred wrong tries: judge each by
 *  `guesses`, which stops the network that it comes from. */
export interface OneTimeCodes {
  /** Keeps `code` for `subject`, replacing an earlier one of the same purpose. */
  put(purpose: string, subject: string, code: string, lifetimeSeconds: number): Promise<void>
  /** The code that is kept there and still opens, with its time lengthened, else `fresh`, kept from now on: so that others who ask for a code
   *  for somebody cannot take the place of his. */
  keep(
    purpose: string,
    subject: string,
    fresh: string,
    lifetimeSeconds: number,
  ): Promise<{ code: string; isFresh: boolean }>
  /** True once, for the right code in time. */
  consume(purpose: string, subject: string, code: string): Promise<boolean>
  /** For what others made and signed or know by themselves: true for the first who shows it, on whichever node, and never again while it is valid. */
  spend(purpose: string, code: string, lifetimeSeconds: number): Promise<boolean>
}

/** By these alone a list may be sorted. */
export type UserSort = 'id' | 'quota' | 'used_quota' | 'request_count'

/** Which users are listed, and in which order. */
export interface UserFilter {
  keyword: string
  group: string
  role?: number
  /** A status says live users, `deleted` the deregistered. Absent: all. */
  status?: number | 'deleted'
  sort?: UserSort
  isAscending?: boolean
}

export interface AccountService {
  /** Deregistered accounts too: look at `DeletedAt`. `setting` comes without the webhook secret. */
  find(id: number): Promise<UserRecord | undefined>
  /** A live account by its name, else by its e-mail address. */
  findByLogin(usernameOrEmail: string): Promise<UserRecord | undefined>
  /** The one form in which an address is kept and compared: of a code that is mailed to it, too. */
  emailForm(address: string): string
  /** Deregistered accounts keep their address. */
  isEmailTaken(address: string): Promise<boolean>
  /** Who is `subject` at the sign-in provider of that id; deregistered accounts too. */
  findByProvider(provider: string, subject: string): Promise<UserRecord | undefined>
  /** Who a user is at which provider. */
  identitiesOf(
    userId: number,
    transaction?: Transaction,
  ): Promise<{ provider: string; subject: string; created_at: number }[]>
  list(page: { page: number; pageSize: number }): Promise<{ items: UserRecord[]; total: number }>
  search(
    query: UserFilter,
    page: { page: number; pageSize: number },
  ): Promise<{ items: UserRecord[]; total: number }>
  /** Creates an account with its gift, in one transaction.
   *  @throws account.username_taken */
  create(input: {
    username: string
    password?: string
    display_name?: string
    role?: number
    email?: string
    inviter_id?: number
    /** Who it is at a sign-in provider: the provider's id and its id for the account. */
    provider?: { id: string; subject: string; issuer?: string }
    quota?: number
    /** Of mails and notices. */
    language?: 'en' | 'zh'
    by: 'password' | 'provider' | 'admin' | 'setup'
    /** Who asks, where somebody who has signed in does: as of `update`. */
    caller?: Standing | undefined
    /** Joins the caller's transaction instead of opening one. */
    transaction?: Transaction
  }): Promise<UserRecord>
  /** The rules for names and passwords, which create and update apply too; for callers that do something irreversible first.
   *  @throws account.invalid_username, account.invalid_password, account.invalid_display_name */
  checkCredentials(input: { username?: string; password?: string; display_name?: string }): void
  /** The rules for addresses that the operator set.
   *  @throws account.invalid_email, account.email_domain, account.email_alias */
  checkEmail(address: string): void
  /** Writes only the named columns; never quota. A new password, a lower role and a status other than 1 end the
   *  user's sessions, but for `keepSessionId`; a new password and such a status end the system access token too. @throws account.username_taken */
  update(
    id: number,
    changes: Partial<{
      username: string
      display_name: string
      password: string
      /** With a password that its owner has not chosen: he is asked for one of his own. */
      password_made: boolean
      email: string
      group: string
      role: number
      status: number
      setting: string
      /** Subjects by sign-in provider; an empty one ends the bond. */
      identities: Readonly<Record<string, string | { subject: string; issuer: string }>>
      /** The wire's fields for identities, e.g. `oidc_id`; an empty one ends the bond. */
      [field: string]: unknown
    }>,
    options?: {
      keepSessionId?: string | undefined
      /** Who asks: what is asked for by a session or access token that has ended meanwhile, say by a new password, is not done.
       *  @throws auth.required */
      caller?: Standing | undefined
      /** Runs in the same transaction: a change that must happen together with this one, or not at all. */
      alongside?: ((transaction: Transaction) => Promise<void>) | undefined
    },
  ): Promise<void>
  /** @param caller as of `update` */
  softDelete(id: number, caller?: Standing): Promise<void>
  /** @param caller as of `update` */
  hardDelete(id: number, caller?: Standing): Promise<void>
  /** An unknown id (0) costs as long as a known one and is false. Where many passwords are being checked, one of a browser that the account
   *  is known in goes first; `knownDevice` is what the guess at it was told. */
  checkPassword(id: number, password: string, knownDevice?: string): Promise<boolean>
  /** As `checkPassword`; what is given when the password is right changes with it, for `signIn.complete`. */
  matchPassword(id: number, password: string, knownDevice?: string): Promise<string | undefined>
  hasPassword(id: number): Promise<boolean>
  /** Whether a live session of the user was begun in that network; see GuessService. An unknown id (0) costs as long as a known one. */
  isKnownNetwork(id: number, network: string): Promise<boolean>
  /** The setting with webhook_secret decrypted; for its owner and the notifiers. */
  settingOf(id: number): Promise<UserSetting>
  /** The same of many, by their ids; whoever is gone is missing. */
  settingsOf(ids: readonly number[]): Promise<ReadonlyMap<number, UserSetting>>
  saveSetting(id: number, setting: UserSetting): Promise<void>
  /** Writes what `next` makes of the saved setting; two at once do not undo each other. It refuses by throwing. */
  changeSetting(id: number, next: (saved: UserSetting) => UserSetting): Promise<void>
  /** Takes the place of the one before. Without an end (Unix seconds) it is valid until the user loses trust as in `update`. */
  newAccessToken(
    id: number,
    expiresAtSeconds?: number,
    /** Who asks, as in `update`. @throws auth.required */
    caller?: Standing,
  ): Promise<string>
  affCode(id: number): Promise<string>
  /** The live user whose invite code this is. */
  findByAffCode(code: string): Promise<UserRecord | undefined>
  /** Moves pending invite earnings into the balance, `alongside` in the same transaction. @throws account.aff_quota_insufficient */
  transferAffQuota(
    id: number,
    units: number,
    alongside?: (transaction: Transaction) => Promise<void>,
  ): Promise<void>
  codes: OneTimeCodes
  rootExists(): Promise<boolean>
  firstRootId(): Promise<number>
  /** Live and active, the first one first. */
  adminIds(): Promise<number[]>
  /** Live sign-ins of a user, the one used last first; `id` is that of `SessionHandle`. */
  sessionsOf(userId: number): Promise<UserSession[]>
  /** False when the user has no such session. */
  endSession(userId: number, sessionId: string): Promise<boolean>
  /** Its browsers are forgotten too; see `SessionHandle.knownDevices`. */
  endSessions(userId: number, exceptSessionId?: string): Promise<void>
}
