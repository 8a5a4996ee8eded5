import type { DatabaseService } from 'tollgate/contract'

interface Row {
  user_id: number
  at_ms: number
}

/** In memory what stands in the table, on every node. */
export class LastSignIns {
  readonly #database: DatabaseService
  #known = new Map<number, number>()

  constructor(database: DatabaseService) {
    this.#database = database
  }

  all(): Record<string, number> {
    return Object.fromEntries(this.#known)
  }

  async save(userId: number, atMs: number): Promise<void> {
    await this.#database.run(
      `INSERT INTO acme__sign_ins (user_id, at_ms) VALUES (:userId, :atMs)
       ON CONFLICT (user_id) DO UPDATE SET at_ms = excluded.at_ms`,
      { userId, atMs },
    )
  }

  async forget(userId: number): Promise<void> {
    await this.#database.run('DELETE FROM acme__sign_ins WHERE user_id = :userId', { userId })
  }

  async read(userId: number): Promise<void> {
    const [row] = await this.#database.select<Row>(
      'SELECT user_id, at_ms FROM acme__sign_ins WHERE user_id = :userId',
      { userId },
    )
    if (row) this.#known.set(userId, row.at_ms)
    else this.#known.delete(userId)
  }

  async readAll(): Promise<void> {
    const rows = await this.#database.select<Row>('SELECT user_id, at_ms FROM acme__sign_ins')
    this.#known = new Map(rows.map(({ user_id, at_ms }) => [user_id, at_ms]))
  }
}
