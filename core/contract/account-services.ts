// Accounts as plugins see them. Implemented in core/accounts.
import type { Transaction } from 'sequelize'
import type { Changes } from './changes.ts'
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

/** Codes and links that are sent to an address: stored as hashes, valid once. A short code allows a hundred wrong tries: check each inside
 *  `guesses.judge`, which stops the network that guesses. */
export interface OneTimeCodes {
  /** Stores `code` for `subject`, replacing an earlier one of the same purpose. */
  put(purpose: string, subject: string, code: string, lifetimeSeconds: number): Promise<void>
  /** Returns the stored code if it is still valid, with its lifetime started again; else stores and returns `fresh`. So a stranger who
   *  requests a code for somebody cannot invalidate the one that was sent. */
  keep(
    purpose: string,
    subject: string,
    fresh: string,
    lifetimeSeconds: number,
  ): Promise<{ code: string; isFresh: boolean }>
  /** True once, for the right code within its lifetime. */
  consume(purpose: string, subject: string, code: string): Promise<boolean>
  /** For codes that others made (signed links, one-time passwords): true the first time a code is used, on any node, and false after that for
   *  `lifetimeSeconds`. */
  spend(purpose: string, code: string, lifetimeSeconds: number): Promise<boolean>
}

/** The only columns by which a list may be sorted. */
export type UserSort = 'id' | 'quota' | 'used_quota' | 'request_count'

/** Which users are listed, and in which order. */
export interface UserFilter {
  keyword: string
  group: string
  role?: number
  /** A status selects live users, `deleted` the deregistered ones. Absent: all. */
  status?: number | 'deleted'
  sort?: UserSort
  isAscending?: boolean
}

export interface AccountService {
  /** Deregistered accounts too: look at `DeletedAt`. `setting` comes without the webhook secret. */
  find(id: number): Promise<UserRecord | undefined>
  /** A live account by its name, else by its e-mail address. */
  findByLogin(usernameOrEmail: string): Promise<UserRecord | undefined>
  /** The form in which an address is stored and compared, also as the subject of a mailed code. */
  emailForm(address: string): string
  /** Deregistered accounts keep their address. */
  isEmailTaken(address: string): Promise<boolean>
  /** The account that is bound to `subject` at this sign-in provider; deregistered accounts too. */
  findByProvider(provider: string, subject: string): Promise<UserRecord | undefined>
  /** The identities of a user at sign-in providers. */
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
    /** The identity at a sign-in provider: the provider's id and its id for the account. */
    provider?: { id: string; subject: string; issuer?: string }
    quota?: number
    /** Of mails and notices. */
    language?: 'en' | 'zh'
    by: 'password' | 'provider' | 'admin' | 'setup'
    /** The signed-in user who asks, if any; checked as in `update`. */
    caller?: Standing | undefined
    /** Joins the caller's transaction instead of opening one. */
    transaction?: Transaction
  }): Promise<UserRecord>
  /** Applies the rules for names and passwords, as create and update do; for callers that do something irreversible first.
   *  @throws account.invalid_username, account.invalid_password, account.invalid_display_name */
  checkCredentials(input: {
    username?: string | undefined
    password?: string | undefined
    display_name?: string | undefined
  }): void
  /** Applies the operator's rules for e-mail addresses.
   *  @throws account.invalid_email, account.email_domain, account.email_alias */
  checkEmail(address: string): void
  /** Writes only the named columns, never quota. A new password, a lower role or a status other than 1 ends the
   *  user's sessions except `keepSessionId`; a new password or such a status also ends the system access token. @throws account.username_taken, account.last_super_admin (also by the two below) */
  update(
    id: number,
    changes: Changes<{
      username: string
      display_name: string
      password: string
      /** The password was not chosen by its owner, who is asked to choose another. */
      password_made: boolean
      email: string
      group: string
      role: number
      status: number
      setting: string
      /** Subjects by sign-in provider; an empty one removes the binding. */
      identities: Readonly<Record<string, string | { subject: string; issuer: string }>>
      /** The wire's fields for identities, e.g. `oidc_id`; an empty one removes the binding. */
      [field: string]: unknown
    }>,
    options?: {
      keepSessionId?: string | undefined
      /** Who asks. Nothing is changed if the caller's session or access token has ended in the meantime, e.g. by a new password, or if
       *  somebody else's account is not, or no longer, of a lower role than the caller's; the super admin changes every account.
       *  @throws auth.required, access.role_too_low */
      caller?: Standing | undefined
      /** Name, display name and group as a page had read them. Nothing is changed if another has changed one of these since; the rest is
       *  ignored. @throws account.changed */
      shown?: Readonly<Record<string, unknown>> | undefined
      /** Runs in the same transaction, for a change that must happen together with this one or not at all. */
      alongside?: ((transaction: Transaction) => Promise<void>) | undefined
    },
  ): Promise<void>
  /** @param caller as in `update` */
  softDelete(id: number, caller?: Standing): Promise<void>
  /** @param caller as in `update` */
  hardDelete(id: number, caller?: Standing): Promise<void>
  /** An unknown id (0) is false and takes as long as a known one. While many passwords wait to be checked, those from browsers that the
   *  account knows go first; `knownDevice` is the value that `guesses.judge` passed to `check`. */
  checkPassword(id: number, password: string, knownDevice?: string): Promise<boolean>
  /** Like `checkPassword`; returns a mark of the right password, which changes with the password, for `signIn.complete`. */
  matchPassword(id: number, password: string, knownDevice?: string): Promise<string | undefined>
  hasPassword(id: number): Promise<boolean>
  /** Whether a live session of the user began in this network; see GuessService. An unknown id (0) takes as long as a known one. */
  isKnownNetwork(id: number, network: string): Promise<boolean>
  /** The setting with webhook_secret decrypted; for its owner and the notifiers. */
  settingOf(id: number): Promise<UserSetting>
  /** The same for many users, by id; removed users are missing. */
  settingsOf(ids: readonly number[]): Promise<ReadonlyMap<number, UserSetting>>
  /** Kept throughout 1.x; what somebody else saves meanwhile is lost. Use `changeSetting`. */
  saveSetting(id: number, setting: UserSetting): Promise<void>
  /** Replaces the saved setting by `next(saved)`; concurrent changes do not undo each other. `next` may refuse by throwing. */
  changeSetting(id: number, next: (saved: UserSetting) => UserSetting): Promise<void>
  /** Replaces the previous token. Without `expiresAtSeconds` (Unix seconds) it is valid until a change ends it, see `update`. */
  newAccessToken(
    id: number,
    expiresAtSeconds?: number,
    /** Who asks, checked as in `update`. @throws auth.required */
    caller?: Standing,
  ): Promise<string>
  affCode(id: number): Promise<string>
  /** The live user who owns this invite code. */
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
  /** Ids of admins that are live and active, oldest account first. */
  adminIds(): Promise<number[]>
  /** Live sessions of a user, most recently used first; `id` is that of `SessionHandle`. */
  sessionsOf(userId: number): Promise<UserSession[]>
  /** False when the user has no such session. */
  endSession(userId: number, sessionId: string): Promise<boolean>
  /** Also forgets the user's browsers; see `SessionHandle.knownDevices`. */
  endSessions(userId: number, exceptSessionId?: string): Promise<void>
}
