// Responses that are made in the background and charged when they end. Whoever deletes one that has ended first reports
// what it used; the node that waits for it may be another.
import type { JsonObject } from '../../contract/json.ts'
import type { Usage } from '../../contract/neutral.ts'
import type { ClusterBus } from '../../contract/services.ts'
import { boundedUsage, usageOf } from '../../dialects/neutral/usage.ts'
import { EarlyReads } from './early-reads.ts'

const ENDED = 'background.ended'

export class BackgroundResponses {
  readonly reads: Pick<EarlyReads, 'of' | 'forget' | 'whole' | 'stream' | 'close'>
  readonly #cluster: Pick<ClusterBus, 'publish' | 'subscribe'>
  /** The responses that this node waits for, by id. */
  readonly #awaited = new Map<string, (usage: Usage) => void>()
  readonly #unsubscribe: () => void

  constructor(cluster: Pick<ClusterBus, 'publish' | 'subscribe'>) {
    this.#cluster = cluster
    this.reads = new EarlyReads(cluster)
    // If the message is lost, the response is found to be gone, and what had arrived of it is charged.
    this.#unsubscribe = cluster.subscribe(
      ENDED,
      (ended) => this.#hear(ended),
      async () => undefined,
    )
  }

  /** Resolves when the usage of a response is reported; `forget` ends the waiting. */
  await(id: string): Promise<Usage> {
    const { promise, resolve } = Promise.withResolvers<Usage>()
    this.#awaited.set(id, resolve)
    return promise
  }

  forget(id: string): void {
    this.#awaited.delete(id)
    this.reads.forget(id)
  }

  async announce(id: string, usage: Usage): Promise<void> {
    await this.#cluster.publish(ENDED, { id, usage })
  }

  close(): void {
    this.#unsubscribe()
    this.reads.close()
  }

  #hear({ id, usage }: JsonObject): void {
    const resolve = typeof id === 'string' ? this.#awaited.get(id) : undefined
    resolve?.(boundedUsage(usageOf(usage as Partial<Usage>)))
  }
}
