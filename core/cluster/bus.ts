import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../contract/json.ts'
import type { ClusterBus, DatabaseService, Logger } from '../contract/services.ts'
import { connectPostgres } from './postgres-transport.ts'
import { connectRedis } from './redis-transport.ts'
import type { Transport, TransportListener } from './transport.ts'

const maxPayloadBytes = 4096
const maxUnsent = 1000

/** Published here after this node was cut off from the others: whatever is kept true by the bus must be read anew. */
export const resyncTopic = 'cluster.resync'

interface Envelope {
  /** Id of the sending node. */
  from: string
  topic: string
  payload: JsonObject
}

/** Redis when it is configured, else PostgreSQL; SQLite serves one process, which needs no transport. */
export async function createClusterBus(dependencies: {
  database: DatabaseService
  redisUrl: string | undefined
  log: Logger
}): Promise<ClusterBus & { close(): Promise<void> }> {
  const { database, redisUrl, log } = dependencies
  const bus = new Bus(log)
  if (redisUrl) bus.use(await connectRedis(redisUrl, bus, log))
  else if (database.dialect === 'postgres') bus.use(await connectPostgres(database, bus, log))
  return bus
}

class Bus implements ClusterBus, TransportListener {
  readonly nodeId = randomUUID()
  readonly #log: Logger
  readonly #listeners = new Map<string, Set<(payload: JsonObject) => void>>()
  #transport: Transport | undefined
  /** What could not be sent; undefined when it became too much and only a resync of all nodes will do. */
  #unsent: string[] | undefined = []

  constructor(log: Logger) {
    this.#log = log
  }

  use(transport: Transport): void {
    this.#transport = transport
  }

  /** This node has it when the promise is there, the others very soon after; with the transport down, when it is back. */
  async publish(topic: string, payload: JsonObject): Promise<void> {
    if (Buffer.byteLength(JSON.stringify(payload)) > maxPayloadBytes) {
      throw new RangeError(`A cluster message of ${topic} is larger than ${maxPayloadBytes} bytes.`)
    }
    this.#deliver(topic, payload)
    await this.#send(this.#envelope(topic, payload))
  }

  subscribe(topic: string, listener: (payload: JsonObject) => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners)
    // An entry of its own for each subscription: one listener may be subscribed twice.
    const entry = (payload: JsonObject): void => listener(payload)
    listeners.add(entry)
    return () => {
      listeners.delete(entry)
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) {
        this.#listeners.delete(topic)
      }
    }
  }

  async close(): Promise<void> {
    this.#listeners.clear()
    await this.#transport?.close()
  }

  onText(text: string): void {
    const envelope = parseEnvelope(text)
    // This node's own messages come back too; they were delivered when they were published.
    if (envelope === undefined || envelope.from === this.nodeId) return
    this.#deliver(envelope.topic, envelope.payload)
  }

  onGap(): void {
    this.#deliver(resyncTopic, {})
  }

  onSendable(): void {
    const unsent = this.#unsent ?? [this.#envelope(resyncTopic, {})]
    this.#unsent = []
    for (const text of unsent) void this.#send(text)
  }

  async #send(text: string): Promise<void> {
    try {
      await this.#transport?.send(text)
    } catch (error) {
      this.#log.warn({ err: error }, 'a cluster message waits for the connection')
      this.#unsent?.push(text)
      if ((this.#unsent?.length ?? 0) > maxUnsent) this.#unsent = undefined
    }
  }

  #deliver(topic: string, payload: JsonObject): void {
    for (const listener of this.#listeners.get(topic) ?? []) {
      try {
        listener(payload)
      } catch (error) {
        this.#log.error({ err: error, topic }, 'a listener of the cluster bus failed')
      }
    }
  }

  #envelope(topic: string, payload: JsonObject): string {
    return JSON.stringify({ from: this.nodeId, topic, payload } satisfies Envelope)
  }
}

/** Whoever can write to the database or Redis can send anything. */
function parseEnvelope(text: string): Envelope | undefined {
  try {
    const value = JSON.parse(text) as Partial<Envelope> | null
    if (typeof value?.from !== 'string' || typeof value.topic !== 'string') return undefined
    if (typeof value.payload !== 'object' || value.payload === null) return undefined
    return value as Envelope
  } catch {
    return undefined
  }
}
