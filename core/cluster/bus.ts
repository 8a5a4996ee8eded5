import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type JsonObject, objectIn } from '../contract/json.ts'
import type { ClusterBus, ClusterListener, ClusterResync, Logger } from '../contract/services.ts'
import type { RedisPlace } from './redis-place.ts'
import type { Database } from '../data/database.ts'
import { Refresh } from '../kernel/refresh.ts'
import { ResendingLink, type LinkListener } from './resending-link.ts'
import { connectPostgres } from './postgres-transport.ts'
import { connectRedis } from './redis-transport.ts'

const maxPayloadBytes = 4096
/** How many texts are remembered to recognise those that arrive again over the other transport. Beyond this a message
 *  may be delivered twice, which subscribers tolerate. */
const maxSeen = 20_000
/** It is not known what was missed: every node that receives this reads everything again. */
const resyncTopic = 'cluster.resync'

interface Envelope {
  /** Id of the sending node. */
  from: string
  /** Number of the message, counted by the sender. */
  id?: number
  topic: string
  payload: JsonObject
}

interface Subscription {
  listener: ClusterListener
  refresh: Refresh
}

/** Uses Redis if it is configured, and PostgreSQL if it is the database. Each message goes over both, so that either
 *  may be away (core/decisions/0008). SQLite without Redis serves one process, which needs no transport. */
export async function createClusterBus(dependencies: {
  database: Pick<Database, 'dialect' | 'sequelize' | 'giveWay'>
  redis: RedisPlace | undefined
  log: Logger
}): Promise<ClusterBus & { readonly isAway: boolean; close(): Promise<void> }> {
  const { database, redis, log } = dependencies
  const bus = new Bus(log)
  try {
    if (redis)
      bus.use(await ResendingLink.open((listener) => connectRedis(redis, listener, log), bus, log))
    if (database.dialect === 'postgres')
      bus.use(
        await ResendingLink.open((listener) => connectPostgres(database, listener, log), bus, log),
      )
  } catch (error) {
    await bus.close()
    throw error
  }
  bus.greet()
  return bus
}

class Bus implements ClusterBus, LinkListener {
  readonly nodeId = randomUUID()
  readonly #log: Logger
  readonly #topics = new Map<string, Set<Subscription>>()
  readonly #links: ResendingLink[] = []
  readonly #seen = new LRUCache<string, true>({ max: maxSeen })
  #sent = 0

  constructor(log: Logger) {
    this.#log = log
  }

  use(link: ResendingLink): void {
    this.#links.push(link)
  }

  /** Called at the start: a process that was killed before may have changed something without telling anybody. */
  greet(): void {
    void this.#send(this.resyncText())
  }

  /** When the promise resolves, this node has delivered the message; the others do so very soon, or, if all transports
   *  are down, as soon as one is back. */
  async publish(topic: string, payload: JsonObject): Promise<void> {
    if (Buffer.byteLength(JSON.stringify(payload)) > maxPayloadBytes) {
      throw new RangeError(`A cluster message of ${topic} is larger than ${maxPayloadBytes} bytes.`)
    }
    this.#deliver(topic, payload)
    await this.#send(this.#envelope(topic, payload))
  }

  subscribe(topic: string, listener: ClusterListener, resync: ClusterResync): () => void {
    const subscription = { listener, refresh: new Refresh(resync, this.#blame(topic)) }
    const subscriptions = this.#topics.get(topic) ?? new Set()
    this.#topics.set(topic, subscriptions.add(subscription))
    return () => {
      subscription.refresh.close()
      subscriptions.delete(subscription)
      if (subscriptions.size === 0 && this.#topics.get(topic) === subscriptions) {
        this.#topics.delete(topic)
      }
    }
  }

  /** True while the messages of this node reach no other. */
  get isAway(): boolean {
    return this.#links.length > 0 && this.#links.every(({ isWaiting }) => isWaiting)
  }

  async close(): Promise<void> {
    for (const { refresh } of this.#subscriptions()) refresh.close()
    this.#topics.clear()
    await Promise.all(this.#links.map((link) => link.close()))
  }

  onText(text: string): void {
    const envelope = parseEnvelope(text)
    // A node also receives its own messages, which were delivered when they were published.
    if (envelope === undefined || envelope.from === this.nodeId || this.#knows(envelope)) return
    if (envelope.topic === resyncTopic) this.onGap()
    else this.#deliver(envelope.topic, envelope.payload)
  }

  onGap(): void {
    for (const { refresh } of this.#subscriptions()) refresh.demand()
  }

  resyncText(): string {
    return this.#envelope(resyncTopic, {})
  }

  /** Resolves as soon as one transport has taken the text, so that a hanging one delays nobody. */
  async #send(text: string): Promise<void> {
    await Promise.any(this.#links.map((link) => link.send(text))).catch(() => undefined)
  }

  #knows({ from, id }: Envelope): boolean {
    if (id === undefined) return false
    const key = `${from}:${id}`
    if (this.#seen.has(key)) return true
    this.#seen.set(key, true)
    return false
  }

  #subscriptions(): Subscription[] {
    return [...this.#topics.values()].flatMap((subscriptions) => [...subscriptions])
  }

  #deliver(topic: string, payload: JsonObject): void {
    for (const subscription of this.#topics.get(topic) ?? []) {
      this.#callListener(subscription, topic, payload)
    }
  }

  /** If a listener fails, its subscription must catch up as after a gap. */
  #callListener({ listener, refresh }: Subscription, topic: string, payload: JsonObject): void {
    const fail = (error: unknown): void => {
      this.#blame(topic)(error)
      refresh.demand()
    }
    try {
      const outcome = listener(payload)
      if (outcome instanceof Promise) outcome.catch(fail)
    } catch (error) {
      fail(error)
    }
  }

  #blame(topic: string) {
    return (error: unknown): void =>
      this.#log.error({ err: error, topic }, 'a subscriber of the cluster bus failed')
  }

  #envelope(topic: string, payload: JsonObject): string {
    this.#sent += 1
    return JSON.stringify({ from: this.nodeId, id: this.#sent, topic, payload } satisfies Envelope)
  }
}

/** Checks the message: whoever can write to the database or Redis can send anything. */
function parseEnvelope(text: string): Envelope | undefined {
  const value: Partial<Envelope> = objectIn(text) ?? {}
  if (typeof value.from !== 'string' || typeof value.topic !== 'string') return undefined
  if (typeof value.payload !== 'object' || value.payload === null) return undefined
  return value as Envelope
}
