// Which channel and key made which stored response, for its owner alone. Written behind the answers, read on the few routes that ask.
import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { ChannelView } from '../../contract/adapter.ts'
import type { DatabaseService, Logger, SecretService } from '../../contract/services.ts'
import { plainRows } from '../../data/models/define-model.ts'
import { storedResponses, type StoredResponseRow } from '../../data/models/stored-response.ts'
import { deleteResponsesBefore, enterResponses } from './stored-responses-sql.ts'

export interface StoredResponse {
  channelId: number
  /** HMAC of the key that made it; a channel may have several, and its key may have been changed. */
  keyHash: string
  /** The client-visible name. */
  model: string
}

interface Row extends StoredResponse {
  userId: number
  id: string
}

const RESPONSES_CACHED = 20_000
const KEYS_CACHED = 1_000
const ROWS_A_STATEMENT = 200
/** After a statement, so that a busy gateway writes many rows at once: on SQLite each statement is a commit, which the calls' own wait for. */
const GATHERING_MS = 20
/** On PostgreSQL another node may have made what is not found, and be about to write it: how long to wait before looking again. */
const LOOK_AGAIN_MS = [GATHERING_MS + 10, 3 * GATHERING_MS] as const
/** Past this the database is away, and what is new is not kept. */
const MOST_WAITING = 20_000
/** Providers draw some sixty characters. Longer ones would fill memory, and PostgreSQL takes no index entry of 2.7 kB, nor the rows beside it. */
const LONGEST_ID = 500
/** As long as OpenAI keeps responses. */
const KEPT_SECONDS = 30 * 24 * 3600

export class StoredResponses {
  readonly #database: DatabaseService
  readonly #secrets: SecretService
  readonly #log: Logger
  /** By id, which providers draw at random: two owners of one id do not occur but in tests. */
  readonly #known = new LRUCache<string, Row>({ max: RESPONSES_CACHED })
  /** By key. */
  readonly #hashes = new LRUCache<string, string>({ max: KEYS_CACHED })
  #waiting = new Map<string, Row>()
  #writing: Promise<void> | undefined
  /** Those under way, of all that gathered. */
  #statements: Promise<void> = Promise.resolve()

  constructor(deps: { database: DatabaseService; secrets: SecretService; log: Logger }) {
    this.#database = deps.database
    this.#secrets = deps.secrets
    this.#log = deps.log
  }

  /** Known here at once, on other nodes as soon as it is written: a lone one at once. */
  remember(made: { userId: number; id: string; channel: ChannelView; model: string }): void {
    const { userId, id, channel, model } = made
    if (id.length > LONGEST_ID) return
    const row: Row = {
      userId,
      id,
      channelId: channel.id,
      keyHash: this.#hashOf(channel.key),
      model,
    }
    this.#known.set(id, row)
    if (this.#waiting.size >= MOST_WAITING) return
    this.#waiting.set(waitingKey(userId, id), row)
    this.#writing ??= this.#write()
  }

  /** `foreign`: another user made it. Undefined: it is not known here. */
  async find(userId: number, id: string): Promise<StoredResponse | 'foreign' | undefined> {
    const known = this.#known.get(id)
    if (known?.userId === userId) return known
    const found = await this.#look(id, known === undefined)
    const own = found.find((row) => row.user_id === userId) ?? found[0]
    const row = own ? fromStored(own) : known
    if (row === undefined) return undefined
    if (row.userId !== userId) return 'foreign'
    this.#known.set(id, row)
    return row
  }

  async #look(id: string, isPatient: boolean): Promise<StoredResponseRow[]> {
    const look = async () =>
      plainRows(await storedResponses(this.#database).findAll({ where: { id } }))
    let found = await look()
    if (!isPatient || this.#database.dialect !== 'postgres') return found
    for (const waitMs of LOOK_AGAIN_MS) {
      if (found.length > 0) break
      await delay(waitMs)
      found = await look()
    }
    return found
  }

  /** The channel with the key that made the response; undefined when it has that key no more. */
  viewOf({ keyHash }: StoredResponse, views: readonly ChannelView[]): ChannelView | undefined {
    return views.find((view) => this.#hashOf(view.key) === keyHash)
  }

  async forget(userId: number, id: string): Promise<void> {
    this.#known.delete(id)
    this.#waiting.delete(waitingKey(userId, id))
    await this.#statements
    await storedResponses(this.#database).destroy({ where: { user_id: userId, id } })
  }

  /** Forgets what the providers have forgotten. */
  async sweep(signal?: AbortSignal): Promise<void> {
    const before = Math.floor(Date.now() / 1000) - KEPT_SECONDS
    await deleteResponsesBefore(this.#database, { before, signal })
  }

  /** Writes what is waiting. */
  async close(): Promise<void> {
    await this.#writing
  }

  #hashOf(key: string): string {
    let hash = this.#hashes.get(key)
    if (hash === undefined) {
      hash = this.#secrets.lookup('channel-key', key)
      this.#hashes.set(key, hash)
    }
    return hash
  }

  /** While one statement is under way, and for a moment after it, the next rows gather. */
  async #write(): Promise<void> {
    await Promise.resolve()
    while (this.#waiting.size > 0) {
      const rows = [...this.#waiting.values()]
      this.#waiting = new Map()
      this.#statements = this.#insertAll(rows)
      await this.#statements
      await delay(GATHERING_MS)
    }
    this.#writing = undefined
  }

  async #insertAll(rows: readonly Row[]): Promise<void> {
    for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
      const some = rows.slice(start, start + ROWS_A_STATEMENT)
      await this.#insert(some).catch((error: unknown) =>
        this.#log.error({ err: error, count: some.length }, 'stored responses are not kept'),
      )
    }
  }

  #insert(rows: readonly Row[]): Promise<void> {
    const now = Math.floor(Date.now() / 1000)
    const stored = rows.map((row) => ({
      id: row.id,
      user_id: row.userId,
      channel_id: row.channelId,
      key_hash: row.keyHash,
      model: row.model,
      created_at: now,
    }))
    return enterResponses(this.#database, stored)
  }
}

function fromStored(row: StoredResponseRow): Row {
  return {
    id: row.id,
    userId: row.user_id,
    channelId: row.channel_id,
    keyHash: row.key_hash,
    model: row.model,
  }
}

function waitingKey(userId: number, id: string): string {
  return `${userId}\n${id}`
}
