// Responses that their upstreams make in the background, and whose charge waits for their end. Whoever deletes one that has ended tells what it used first, on whichever node.
import type { JsonObject } from '../../contract/json.ts'
import type { Usage } from '../../contract/neutral.ts'
import type { ClusterBus } from '../../contract/services.ts'
import { boundedUsage, usageOf } from '../../dialects/neutral/usage.ts'

const ENDED = 'background.ended'

export class BackgroundResponses {
  readonly #cluster: Pick<ClusterBus, 'publish' | 'subscribe'>
  /** By id, those that this node waits for. */
  readonly #awaited = new Map<string, (usage: Usage) => void>()
  readonly #unsubscribe: () => void

  constructor(cluster: Pick<ClusterBus, 'publish' | 'subscribe'>) {
    this.#cluster = cluster
    // A message that was lost leaves a response that is gone: what had arrived of it is charged.
    this.#unsubscribe = cluster.subscribe(
      ENDED,
      (ended) => this.#hear(ended),
      async () => undefined,
    )
  }

  /** Until `forget`. */
  await(id: string): Promise<Usage> {
    const { promise, resolve } = Promise.withResolvers<Usage>()
    this.#awaited.set(id, resolve)
    return promise
  }

  forget(id: string): void {
    this.#awaited.delete(id)
  }

  async tell(id: string, usage: Usage): Promise<void> {
    await this.#cluster.publish(ENDED, { id, usage })
  }

  close(): void {
    this.#unsubscribe()
  }

  #hear({ id, usage }: JsonObject): void {
    const tell = typeof id === 'string' ? this.#awaited.get(id) : undefined
    tell?.(boundedUsage(usageOf(usage as Partial<Usage>)))
  }
}
