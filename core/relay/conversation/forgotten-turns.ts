// Answers that their clients have deleted: no node may remember them, also one that the bus did not reach for a while. The others may
// have ended meanwhile, so what was deleted stands in the database.
import { LRUCache } from 'lru-cache'
import type { JsonObject } from '../../contract/json.ts'
import type { ClusterBus, DatabaseService } from '../../contract/services.ts'
import type { AnswerItems } from './answer-items.ts'
import {
  deleteForgotten,
  type Forgotten,
  forgottenAmong,
  forgottenSince,
  noteForgotten,
} from './forgotten-turns-sql.ts'

const FORGOTTEN = 'turns.forgotten'
/** As long as an answer is kept that nobody uses. */
const KEPT_MS = 3_600_000
const MOST_KEPT = 10_000
/** A gap is noticed some time after it has begun, and what was written meanwhile may be committed late. */
const OVERLAP_SECONDS = 600

interface ForgottenTurnsDeps {
  items: Pick<AnswerItems, 'forgetTurn'>
  cluster: ClusterBus
  database: DatabaseService
}

export class ForgottenTurns {
  readonly #items: ForgottenTurnsDeps['items']
  readonly #cluster: ClusterBus
  /** Undefined where there is one process. */
  readonly #database: DatabaseService | undefined
  /** What was heard of last, for items that were on their way here meanwhile. */
  readonly #known = new LRUCache<string, true>({ max: MOST_KEPT, ttl: KEPT_MS })
  readonly #unsubscribe: () => void
  #readAtMs = performance.now()

  constructor({ items, cluster, database }: ForgottenTurnsDeps) {
    this.#items = items
    this.#cluster = cluster
    this.#database = database.dialect === 'postgres' ? database : undefined
    this.#unsubscribe = cluster.subscribe(
      FORGOTTEN,
      (turn) => this.#hear(forgottenIn(turn)),
      () => this.#readMissed(),
    )
  }

  /** Whether this node has heard of it. */
  has(userId: number, id: string): boolean {
    return this.#known.has(keyOf({ userId, id }))
  }

  /** Those of the turns that were forgotten, whatever this node has heard. */
  async among(userId: number, turns: readonly string[]): Promise<ReadonlySet<string>> {
    const distinct = [...new Set(turns)]
    if (this.#database) return forgottenAmong(this.#database, userId, distinct)
    return new Set(distinct.filter((id) => this.has(userId, id)))
  }

  /** @throws Error if it cannot be noted: then it is not forgotten anywhere */
  async forget(userId: number, id: string): Promise<void> {
    if (this.#database) await noteForgotten(this.#database, { userId, id })
    await this.#cluster.publish(FORGOTTEN, { userId, id })
  }

  /** Deletes what no node can remember any more. */
  async sweep(): Promise<void> {
    if (this.#database) await deleteForgotten(this.#database)
  }

  close(): void {
    this.#unsubscribe()
  }

  async #readMissed(): Promise<void> {
    if (!this.#database) return
    const nowMs = performance.now()
    const missedSeconds = Math.ceil((nowMs - this.#readAtMs) / 1_000)
    for (const turn of await forgottenSince(this.#database, missedSeconds + OVERLAP_SECONDS))
      this.#hear(turn)
    this.#readAtMs = nowMs
  }

  #hear(turn: Forgotten): void {
    if (this.#known.has(keyOf(turn))) return
    this.#known.set(keyOf(turn), true)
    this.#items.forgetTurn(turn.userId, turn.id)
  }
}

function forgottenIn({ userId, id }: JsonObject): Forgotten {
  return { userId: Number(userId), id: String(id) }
}

function keyOf({ userId, id }: Forgotten): string {
  return `${userId}\n${id}`
}
