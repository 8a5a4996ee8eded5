import type { DatabaseService } from '../contract/services.ts'
import type { UserRecord } from '../contract/account-services.ts'
import {
  countUsers,
  PROVIDER_COLUMNS,
  searchClause,
  selectUsers,
  toRecord,
  type UserRow,
} from './user-rows.ts'

type Page = { page: number; pageSize: number }

/** The reading half of the account service. */
export class AccountQueries {
  readonly #database: DatabaseService

  constructor(database: DatabaseService) {
    this.#database = database
  }

  find(id: number): Promise<UserRecord | undefined> {
    return this.#findRecord('WHERE id = :id', { id })
  }

  async findByLogin(usernameOrEmail: string): Promise<UserRecord | undefined> {
    const value = usernameOrEmail.trim().replaceAll('\0', '')
    if (value === '') return undefined
    const byName = await this.#findRecord('WHERE username = :value AND deleted_at IS NULL', {
      value,
    })
    if (byName) return byName
    const email = value.toLowerCase()
    return this.#findRecord('WHERE email = :email AND deleted_at IS NULL', { email })
  }

  async findByProvider(column: string, providerId: string): Promise<UserRecord | undefined> {
    if (!PROVIDER_COLUMNS.has(column)) throw new Error(`${column} is no column of an identity`)
    return providerId === ''
      ? undefined
      : this.#findRecord(`WHERE ${column} = :providerId`, { providerId })
  }

  findByAffCode(code: string): Promise<UserRecord | undefined> {
    return this.#findRecord('WHERE aff_code = :code AND deleted_at IS NULL', { code })
  }

  list(page: Page): Promise<{ items: UserRecord[]; total: number }> {
    return this.#page('', {}, page)
  }

  search(query: { keyword: string; group: string }, page: Page) {
    const { clause, values } = searchClause(query)
    return this.#page(clause, values, page)
  }

  async rootExists(): Promise<boolean> {
    return (await this.firstRootId()) !== 0
  }

  /** 0 when there is none. */
  async firstRootId(): Promise<number> {
    const [row] = await this.#database.select<{ id: number }>(
      'SELECT id FROM users WHERE role = 100 AND deleted_at IS NULL ORDER BY id LIMIT 1',
    )
    return row?.id ?? 0
  }

  protected async row(id: number): Promise<UserRow | undefined> {
    return (await selectUsers(this.#database, 'WHERE id = :id', { id }))[0]
  }

  async #findRecord(clauses: string, values: Record<string, unknown>) {
    const [row] = await selectUsers(this.#database, clauses, values)
    return row && toRecord(row)
  }

  async #page(clause: string, values: Record<string, unknown>, { page, pageSize }: Page) {
    const database = this.#database
    const total = await countUsers(database, clause, values)
    const rows = await selectUsers(
      database,
      `${clause} ORDER BY id DESC LIMIT :limit OFFSET :offset`,
      { ...values, limit: pageSize, offset: (page - 1) * pageSize },
    )
    return { items: rows.map(toRecord), total }
  }
}
