// Browsers in which an account has signed in before. They are not signed in; they only do not wait behind strangers who guess.
import { Op, type Transaction } from 'sequelize'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import { knownDevices } from '../data/models/known-device.ts'
import { users } from '../data/models/user.ts'

/** Half a year from the last sign-in. */
export const DEVICE_SECONDS = 180 * 24 * 3600
/** The most accounts that one browser is known for, latest first. */
const MOST_ACCOUNTS = 4
/** The most browsers that an account knows; the oldest is forgotten. */
const MOST_DEVICES = 20
/** The first sign-in of an account comes within this time after its creation. */
const NEW_ACCOUNT_SECONDS = 10 * 60
const SECRET_LENGTH = 43
const VALUE = /^[0-9A-Za-z]{43}(?:\.[0-9A-Za-z]{43}){0,3}$/

export class KnownDevices {
  readonly #database: DatabaseService
  readonly #secrets: SecretService
  readonly #now: () => number

  constructor(deps: { database: DatabaseService; secrets: SecretService; now: () => number }) {
    this.#database = deps.database
    this.#secrets = deps.secrets
    this.#now = deps.now
  }

  /** The accounts that know the browser with this cookie, each with the id that it has given the browser. */
  async find(cookie: string | undefined): Promise<ReadonlyMap<number, string>> {
    const ids = secretsIn(cookie).map((secret) => this.#idOf(secret))
    if (ids.length === 0) return new Map()
    const rows = await knownDevices(this.#database).findAll({
      attributes: ['id_hash', 'user_id'],
      where: { id_hash: ids, expires_at: { [Op.gt]: this.#seconds() } },
    })
    return new Map(rows.map((row) => row.get()).map((row) => [row.user_id, row.id_hash]))
  }

  /** The browser's new cookie, and whether the browser was known (also true for an account so new that it can know
   *  none). The secret is always new, so that nobody can plant one before the account signs in. */
  async remember(
    cookie: string | undefined,
    { userId, sessionId }: { userId: number; sessionId: string },
  ): Promise<{ cookie: string; wasKnown: boolean }> {
    const secret = this.#secrets.random(SECRET_LENGTH)
    const createdAt = this.#seconds()
    const table = knownDevices(this.#database)
    const replaced = (await this.find(cookie)).get(userId)
    await this.#database.transaction(async (transaction) => {
      await table.create(
        {
          id_hash: this.#idOf(secret),
          user_id: userId,
          session_id: sessionId,
          created_at: createdAt,
          expires_at: createdAt + DEVICE_SECONDS,
        },
        { transaction },
      )
      await this.#forgetRest(userId, replaced, transaction)
    })
    const others = secretsIn(cookie).filter((other) => this.#idOf(other) !== replaced)
    const all = [secret, ...others].slice(0, MOST_ACCOUNTS)
    const wasKnown = replaced !== undefined || (await this.#isNew(userId, createdAt))
    return { cookie: all.join('.'), wasKnown }
  }

  /** All browsers of an account, except the one that began the session `exceptId`. */
  async forgetAll(
    userId: number,
    { exceptId, transaction }: { exceptId: string; transaction: Transaction },
  ): Promise<void> {
    const where = { user_id: userId, [Op.not]: { session_id: exceptId } }
    await knownDevices(this.#database).destroy({ where, transaction })
  }

  /** The browser that began this session. */
  async forget(userId: number, sessionId: string, transaction: Transaction): Promise<void> {
    const where = { user_id: userId, session_id: sessionId }
    await knownDevices(this.#database).destroy({ where, transaction })
  }

  async purge(): Promise<void> {
    const where = { expires_at: { [Op.lte]: this.#seconds() } }
    await knownDevices(this.#database).destroy({ where })
  }

  async #forgetRest(userId: number, replaced: string | undefined, transaction: Transaction) {
    const table = knownDevices(this.#database)
    if (replaced !== undefined) await table.destroy({ where: { id_hash: replaced }, transaction })
    const tooMany = await table.findAll({
      attributes: ['id_hash'],
      where: { user_id: userId },
      order: [
        ['created_at', 'DESC'],
        ['id_hash', 'ASC'],
      ],
      offset: MOST_DEVICES,
      limit: MOST_DEVICES,
      transaction,
    })
    const ids = tooMany.map((row) => row.get().id_hash)
    if (ids.length > 0) await table.destroy({ where: { id_hash: ids }, transaction })
  }

  async #isNew(userId: number, now: number): Promise<boolean> {
    const user = await users(this.#database).findByPk(userId, { attributes: ['created_at'] })
    return user !== null && now - user.get().created_at < NEW_ACCOUNT_SECONDS
  }

  #idOf(secret: string): string {
    return this.#secrets.lookup('device', secret)
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000)
  }
}

/** A browser has one secret for each account that knows it. */
function secretsIn(cookie: string | undefined): string[] {
  return cookie !== undefined && VALUE.test(cookie) ? cookie.split('.') : []
}
