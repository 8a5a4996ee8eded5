// Answers that their clients have deleted: no node may remember them, also one that the bus did not reach for a while.
import { LRUCache } from 'lru-cache'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { ClusterBus } from '../../contract/services.ts'
import type { AnswerItems } from './answer-items.ts'

const FORGOTTEN = 'turns.forgotten'
const WANTED = 'turns.forgotten_wanted'
/** As long as an answer is kept that nobody uses. */
const KEPT_MS = 3_600_000
const MOST_KEPT = 10_000
/** How many fit into one message of the bus. */
const TURNS_A_MESSAGE = 40

interface Forgotten {
  userId: number
  id: string
}

interface ForgottenTurnsDeps {
  items: Pick<AnswerItems, 'forgetTurn'>
  cluster: ClusterBus
}

export class ForgottenTurns {
  readonly #items: ForgottenTurnsDeps['items']
  readonly #cluster: ClusterBus
  /** Each node knows what all have forgotten, so that any of them can tell one that was away. */
  readonly #known = new LRUCache<string, Forgotten>({ max: MOST_KEPT, ttl: KEPT_MS })
  readonly #unsubscribe: (() => void)[]

  constructor({ items, cluster }: ForgottenTurnsDeps) {
    this.#items = items
    this.#cluster = cluster
    const ask = () => cluster.publish(WANTED, { from: cluster.nodeId })
    this.#unsubscribe = [
      cluster.subscribe(FORGOTTEN, ({ turns }) => this.#hear(turns), ask),
      cluster.subscribe(
        WANTED,
        ({ from }) => this.#tell(from),
        async () => undefined,
      ),
    ]
  }

  has(userId: number, id: string): boolean {
    return this.#known.has(keyOf({ userId, id }))
  }

  async forget(userId: number, id: string): Promise<void> {
    await this.#publish([{ userId, id }])
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
  }

  #hear(turns: unknown): void {
    for (const turn of Array.isArray(turns) ? (turns as unknown[]) : []) {
      if (!isObject(turn)) continue
      const forgotten = { userId: Number(turn['userId']), id: String(turn['id']) }
      if (this.#known.has(keyOf(forgotten))) continue
      this.#known.set(keyOf(forgotten), forgotten)
      this.#items.forgetTurn(forgotten.userId, forgotten.id)
    }
  }

  async #tell(from: unknown): Promise<void> {
    if (from === this.#cluster.nodeId) return
    const all = [...this.#known.values()]
    for (let start = 0; start < all.length; start += TURNS_A_MESSAGE)
      await this.#publish(all.slice(start, start + TURNS_A_MESSAGE))
  }

  async #publish(turns: readonly Forgotten[]): Promise<void> {
    await this.#cluster.publish(FORGOTTEN, {
      turns: turns.map((turn): JsonObject => ({ ...turn })),
    })
  }
}

function keyOf({ userId, id }: Forgotten): string {
  return `${userId}\n${id}`
}
