import { role, userStatus } from '../contract/constants.ts'
import { type FindOptions, Op, type Order, type Transaction, type WhereOptions } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'
import type { UserFilter, UserRecord } from '../contract/account-services.ts'
import { users, type UserRow } from '../data/models/user.ts'
import { pageOf } from '../data/page-of.ts'
import { userIdentities, type UserIdentityRow } from '../data/models/user-identity.ts'
import { nameForm } from './account-rules.ts'
import { emailForm, emailForms } from './email-rules.ts'
import { findUser, recordsOf } from './user-records.ts'
import { searchConditions, searchOrder } from './user-search-sql.ts'

type Page = { page: number; pageSize: number }

/** The reading part of the account service. */
export class AccountQueries {
  readonly #database: DatabaseService

  constructor(database: DatabaseService) {
    this.#database = database
  }

  find(id: number): Promise<UserRecord | undefined> {
    return this.#findRecord({ id })
  }

  async findByLogin(usernameOrEmail: string): Promise<UserRecord | undefined> {
    const value = usernameOrEmail.trim().replaceAll('\0', '')
    if (value === '') return undefined
    // First the name as entered: older versions stored names so, and another account may have the name in today's form.
    for (const username of new Set([value, nameForm(value)])) {
      const byName = await this.#findRecord({ username, deleted_at: null })
      if (byName) return byName
    }
    return this.#findRecord({ email: emailForms(value), deleted_at: null })
  }

  emailForm(address: string): string {
    return emailForm(address)
  }

  async isEmailTaken(address: string): Promise<boolean> {
    const email = emailForms(address)
    return email[0] !== '' && (await findUser(this.#database, { email })) !== undefined
  }

  async findByProvider(provider: string, subject: string): Promise<UserRecord | undefined> {
    const identity = await this.identityAt(provider, subject)
    return identity && this.find(identity.user_id)
  }

  async identityAt(provider: string, subject: string): Promise<UserIdentityRow | undefined> {
    if (subject === '') return undefined
    const where = { provider, subject }
    return (await userIdentities(this.#database).findOne({ where }))?.get()
  }

  async identitiesOf(userId: number, transaction?: Transaction): Promise<UserIdentityRow[]> {
    const where = { user_id: userId }
    const options = { where, transaction: transaction ?? null }
    return (await userIdentities(this.#database).findAll(options)).map((row) => row.get())
  }

  findByAffCode(code: string): Promise<UserRecord | undefined> {
    return this.#findRecord({ aff_code: code, deleted_at: null })
  }

  list(page: Page): Promise<{ items: UserRecord[]; total: number }> {
    return this.#page({}, page)
  }

  search(query: UserFilter, page: Page) {
    return this.#page(
      { ...searchConditions(query, this.#database.dialect), order: searchOrder(query) },
      page,
    )
  }

  async rootExists(): Promise<boolean> {
    return (await this.firstRootId()) !== 0
  }

  /** 0 if there is none. */
  async firstRootId(): Promise<number> {
    const root = await users(this.#database).findOne({
      where: { role: role.root, deleted_at: null },
      order: [['id', 'ASC']],
    })
    return root?.get().id ?? 0
  }

  async adminIds(): Promise<number[]> {
    const found = await users(this.#database).findAll({
      where: { role: { [Op.gte]: role.admin }, status: userStatus.active, deleted_at: null },
      attributes: ['id'],
      order: [['id', 'ASC']],
    })
    return found.map((row) => row.get().id)
  }

  protected row(id: number): Promise<UserRow | undefined> {
    return findUser(this.#database, { id })
  }

  async #findRecord(where: WhereOptions<UserRow>): Promise<UserRecord | undefined> {
    const row = await findUser(this.#database, where)
    return row && (await recordsOf(this.#database, [row]))[0]
  }

  async #page(
    conditions: Pick<FindOptions<UserRow>, 'where' | 'bind' | 'order'>,
    { page, pageSize }: Page,
  ): Promise<{ items: UserRecord[]; total: number }> {
    const place = { limit: pageSize, offset: (page - 1) * pageSize }
    const newestFirst: Order = [['id', 'DESC']]
    const asked = { order: newestFirst, ...conditions }
    const { rows, total } = await pageOf(users(this.#database), asked, place)
    return { items: await recordsOf(this.#database, rows), total }
  }
}
