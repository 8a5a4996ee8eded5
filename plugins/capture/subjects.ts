// Whose calls are captured. Each node keeps it in memory; the cluster bus keeps it current.
import type { DatabaseService, RelayView } from '#core'
import { selectSubjects } from './capture-sql.ts'

export const SUBJECTS_CHANGED = 'capture.subjects'

export class Subjects {
  readonly #database: DatabaseService
  #users: ReadonlySet<number> = new Set()
  #tokens: ReadonlySet<number> = new Set()

  constructor(database: DatabaseService) {
    this.#database = database
  }

  async reload(): Promise<void> {
    const rows = await selectSubjects(this.#database)
    const idsOf = (kind: string) =>
      new Set(rows.filter((row) => row.kind === kind).map(({ id }) => id))
    this.#users = idsOf('user')
    this.#tokens = idsOf('token')
  }

  has({ userId, tokenId }: Pick<RelayView, 'userId' | 'tokenId'>): boolean {
    return this.#users.has(userId) || this.#tokens.has(tokenId)
  }

  hasUser(id: number): boolean {
    return this.#users.has(id)
  }

  hasToken(id: number): boolean {
    return this.#tokens.has(id)
  }
}
