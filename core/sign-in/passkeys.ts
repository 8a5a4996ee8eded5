// Passkeys (WebAuthn level 3): registration, sign-in and storage. A passkey proves possession and, with user
// verification (PIN, finger, face), also the person. User verification is required where the passkey is the only
// factor; beside a password, possession is enough.
import { Op, type Transaction } from 'sequelize'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { SessionHandle, Standing } from '../contract/http.ts'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import { passkeys, toOwnPasskey, type OwnPasskey, type PasskeyRow } from '../data/models/passkey.ts'
import { heldTransaction } from '../accounts/hold-caller.ts'
import { keepChallenge, takeChallenge, type PasskeyPurpose } from './passkey-challenges.ts'
import {
  passkeyChallengeGone,
  passkeyCounter,
  passkeyKnown,
  passkeyRefused,
  passkeysFull,
  passkeyUnknown,
} from './passkey-errors.ts'
import type { PasskeySite } from './passkey-site.ts'

const MOST = 20
/** EdDSA, ES256 and RS256 as numbers of COSE, which all sold authenticators support. Without a list, the library asks
 *  Node for algorithms that are experimental there. */
const ALGORITHMS = [-8, -7, -257]
/** How long the browser may take; the challenge expires a little later. */
const TIMEOUT_MS = 4 * 60 * 1000
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
type Transport = (typeof TRANSPORTS)[number]

/** Loaded with the first use, because it would slow down the start. */
const webauthn = () => import('@simplewebauthn/server')

export interface PasskeyDeps {
  database: DatabaseService
  secrets: SecretService
  now?: () => number
}

/** The session and the site in which a browser is asked. */
export interface PasskeyCall {
  session: SessionHandle
  site: PasskeySite
}

/** What a passkey is requested for. Without a user, it may be anybody's. */
export interface PasskeyQuestion {
  purpose: Exclude<PasskeyPurpose, 'register'>
  userId?: number
}

export class Passkeys {
  readonly #deps: Required<PasskeyDeps>

  constructor(deps: PasskeyDeps) {
    this.#deps = { now: Date.now, ...deps }
  }

  async list(userId: number): Promise<OwnPasskey[]> {
    return (await this.#rowsOf(userId)).map(toOwnPasskey)
  }

  async has(userId: number): Promise<boolean> {
    return (await passkeys(this.#deps.database).count({ where: { user_id: userId } })) > 0
  }

  /** @throws passkey.too_many */
  async beginRegistration(
    { session, site }: PasskeyCall,
    user: { id: number; username: string },
    siteName: string,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const present = await this.#rowsOf(user.id)
    if (present.length >= MOST) throw passkeysFull({ most: MOST })
    const { generateRegistrationOptions } = await webauthn()
    const options = await generateRegistrationOptions({
      rpID: site.rpId,
      rpName: siteName,
      userName: user.username,
      userID: this.#handleOf(user.id),
      timeout: TIMEOUT_MS,
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: present.map(toDescriptor),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const { challenge } = options
    await keepChallenge(session, { challenge, purpose: 'register', userId: user.id })
    return options
  }

  /** @throws passkey.challenge_gone, passkey.refused, passkey.known, passkey.too_many, auth.required */
  async register(
    { session, site }: PasskeyCall,
    { caller, name }: { caller: Standing; name: string },
    response: RegistrationResponseJSON,
  ): Promise<OwnPasskey> {
    const userId = caller.id
    const about = { purpose: 'register', userId } as const
    const challenge = await takeChallenge(session, response.response.clientDataJSON, about)
    if (challenge === undefined) throw passkeyChallengeGone()
    const { verifyRegistrationResponse } = await webauthn()
    const verified = await judged(
      verifyRegistrationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: site.origins,
        expectedRPID: site.rpId,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    )
    if (!verified.verified) throw passkeyRefused()
    const { credential, credentialBackedUp } = verified.registrationInfo
    return this.#keep(caller, {
      id: this.#deps.secrets.random(22),
      user_id: userId,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      rp_id: site.rpId,
      transports: JSON.stringify(transportsIn(response.response.transports)),
      name,
      is_backed_up: credentialBackedUp ? 1 : 0,
      created_at: Math.floor(this.#deps.now() / 1000),
      last_used_at: 0,
    })
  }

  /** Without a user, the browser offers every passkey that it has for the site. */
  async begin(
    { session, site }: PasskeyCall,
    { purpose, userId = 0 }: PasskeyQuestion,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const own = userId === 0 ? [] : await this.#rowsOf(userId)
    const { generateAuthenticationOptions } = await webauthn()
    const options = await generateAuthenticationOptions({
      rpID: site.rpId,
      timeout: TIMEOUT_MS,
      userVerification: isAlone(purpose) ? 'required' : 'preferred',
      allowCredentials: own.filter(({ rp_id: id }) => id === site.rpId).map(toDescriptor),
    })
    await keepChallenge(session, { challenge: options.challenge, purpose, userId })
    return options
  }

  /** Verifies an answer.
   *  @returns the user whose passkey it is
   *  @throws passkey.challenge_gone, passkey.refused, passkey.counter */
  async check(
    { session, site }: PasskeyCall,
    { purpose, userId = 0 }: PasskeyQuestion,
    response: AuthenticationResponseJSON,
  ): Promise<number> {
    const about = { purpose, userId }
    const challenge = await takeChallenge(session, response.response.clientDataJSON, about)
    if (challenge === undefined) throw passkeyChallengeGone()
    const row = await this.#rowOf(response.id, site)
    if (!row || (userId !== 0 && row.user_id !== userId)) throw passkeyRefused()
    const { verifyAuthenticationResponse } = await webauthn()
    const verified = await judged(
      verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: site.origins,
        expectedRPID: site.rpId,
        requireUserVerification: isAlone(purpose),
        // The counter is checked below, in the statement that stores it.
        credential: {
          id: row.credential_id,
          publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
          counter: 0,
        },
      }),
    )
    if (!verified.verified) throw passkeyRefused()
    await this.#noteUse(row, verified.authenticationInfo)
    return row.user_id
  }

  /** @throws passkey.unknown */
  async rename(userId: number, id: string, name: string): Promise<void> {
    const where = { id, user_id: userId }
    const [renamed] = await passkeys(this.#deps.database).update({ name }, { where })
    if (renamed === 0) throw passkeyUnknown()
  }

  /** @throws passkey.unknown */
  async remove(caller: Standing, id: string): Promise<void> {
    const removed = await this.#removeHeld(caller, { id, user_id: caller.id })
    if (removed === 0) throw passkeyUnknown()
  }

  async removeOwn(caller: Standing): Promise<void> {
    await this.#removeHeld(caller, { user_id: caller.id })
  }

  /** Runs in a transaction that has locked the caller's row.
   *  @returns false if the user had none */
  async removeAllIn(userId: number, transaction: Transaction): Promise<boolean> {
    const where = { user_id: userId }
    return (await passkeys(this.#deps.database).destroy({ where, transaction })) > 0
  }

  /** Removes passkeys if the caller's session is still valid.
   *  @throws auth.required */
  #removeHeld(caller: Standing, where: Partial<PasskeyRow>): Promise<number> {
    const { database } = this.#deps
    return heldTransaction(database, caller, (transaction) =>
      passkeys(database).destroy({ where, transaction }),
    )
  }

  /** Stores the new counter if it is higher than the stored one, in one conditional write. Authenticators without a
   *  counter stay at 0. */
  async #noteUse(
    row: PasskeyRow,
    { newCounter, credentialBackedUp }: { newCounter: number; credentialBackedUp: boolean },
  ): Promise<void> {
    const changes = {
      counter: newCounter,
      is_backed_up: credentialBackedUp ? 1 : 0,
      last_used_at: Math.floor(this.#deps.now() / 1000),
    }
    const before = newCounter === 0 ? 0 : { [Op.lt]: newCounter }
    const where = { id: row.id, counter: before }
    const [used] = await passkeys(this.#deps.database).update(changes, { where })
    if (used === 0) throw passkeyCounter()
  }

  async #keep(caller: Standing, row: PasskeyRow): Promise<OwnPasskey> {
    const { database } = this.#deps
    try {
      await heldTransaction(database, caller, async (transaction) => {
        // Several registrations may have begun before there were too many.
        const where = { user_id: caller.id }
        if ((await passkeys(database).count({ where, transaction })) >= MOST)
          throw passkeysFull({ most: MOST })
        await passkeys(database).create(row, { transaction })
      })
    } catch (error) {
      if (database.isUniqueViolation(error)) throw passkeyKnown()
      throw error
    }
    return toOwnPasskey(row)
  }

  async #rowsOf(userId: number): Promise<PasskeyRow[]> {
    const rows = await passkeys(this.#deps.database).findAll({
      where: { user_id: userId },
      order: ['created_at', 'id'],
    })
    return rows.map((row) => row.get())
  }

  async #rowOf(credentialId: string, { rpId }: PasskeySite): Promise<PasskeyRow | undefined> {
    const where = { credential_id: credentialId, rp_id: rpId }
    return (await passkeys(this.#deps.database).findOne({ where }))?.get()
  }

  /** The user handle that authenticators store with the passkey. It is always the same and reveals nothing about the user. */
  #handleOf(userId: number) {
    const handle = this.#deps.secrets.lookup('code', `passkey\n${userId}`)
    return new Uint8Array(Buffer.from(handle, 'hex'))
  }
}

/** Whether the passkey is the only factor. */
function isAlone(purpose: PasskeyPurpose): boolean {
  return purpose !== 'second-factor'
}

function toDescriptor({ credential_id: id, transports }: PasskeyRow) {
  return { id, transports: transportsIn(JSON.parse(transports)) }
}

function transportsIn(value: unknown): Transport[] {
  return Array.isArray(value) ? TRANSPORTS.filter((one) => value.includes(one)) : []
}

/** The library throws for every kind of invalid answer. The details would not help the sender. */
async function judged<T>(verification: Promise<T>): Promise<T> {
  try {
    return await verification
  } catch (cause) {
    throw passkeyRefused(undefined, { cause })
  }
}
