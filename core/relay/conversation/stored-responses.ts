// Which channel and key made each stored response; only its owner may use it. Written after the answer, read by the few
// routes that need it.
import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { ChannelView } from '../../contract/adapter.ts'
import type { DatabaseService, Logger, SecretService } from '../../contract/services.ts'
import { plainRows } from '../../data/models/define-model.ts'
import { isPassing } from '../../data/database-errors.ts'
import { storedResponses, type StoredResponseRow } from '../../data/models/stored-response.ts'
import { deleteResponsesBefore, enterResponses } from './stored-responses-sql.ts'

export interface StoredResponse {
  channelId: number
  /** HMAC of the key that made it: a channel may have several keys, and a key may be changed. */
  keyHash: string
  /** The model as the client names it. */
  model: string
}

interface Row extends StoredResponse {
  userId: number
  id: string
}

const RESPONSES_CACHED = 20_000
const KEYS_CACHED = 1_000
const ROWS_A_STATEMENT = 200
/** Pause after each statement, so that a busy gateway writes many rows at once. On SQLite each statement is a commit,
 *  and commits of calls wait for it. */
const GATHERING_MS = 20
/** On PostgreSQL another node may have made the response and not written it yet: how long to wait before each new look. The last one
 *  is for a node that is busy. */
const LOOK_AGAIN_MS = [GATHERING_MS + 10, 3 * GATHERING_MS, 300] as const
/** Pause before rows are written again that an unreachable database has not taken. */
const AGAIN_MS = 500
/** With more rows waiting than this, the database is unreachable, and new ones are dropped. */
const MOST_WAITING = 20_000
/** Ids of providers have some sixty characters. Much longer ones would fill memory, and PostgreSQL refuses index
 *  entries above 2.7 kB together with all rows of the statement. */
const LONGEST_ID = 500
/** As long as OpenAI keeps responses. */
const KEPT_SECONDS = 30 * 24 * 3600

export class StoredResponses {
  readonly #database: DatabaseService
  readonly #secrets: SecretService
  readonly #log: Logger
  /** By id. Providers choose ids at random, so one id has one owner, except in tests. */
  readonly #known = new LRUCache<string, Row>({ max: RESPONSES_CACHED })
  /** Hashes by key. */
  readonly #hashes = new LRUCache<string, string>({ max: KEYS_CACHED })
  #waiting = new Map<string, Row>()
  #writing: Promise<void> | undefined
  #isClosing = false
  /** Resolves when the running statements are done. */
  #statements: Promise<void> = Promise.resolve()

  constructor(deps: { database: DatabaseService; secrets: SecretService; log: Logger }) {
    this.#database = deps.database
    this.#secrets = deps.secrets
    this.#log = deps.log
  }

  /** Remembers a response. This node knows it at once, other nodes as soon as it is written; a single one is written without delay. */
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

  /** `isPatient`: waits for what another node may be writing.
   *  @returns `foreign` if another user made it; undefined if it is unknown */
  async find(
    userId: number,
    id: string,
    isPatient = true,
  ): Promise<StoredResponse | 'foreign' | undefined> {
    const known = this.#known.get(id)
    if (known?.userId === userId) return known
    const found = await this.#look(id, isPatient && known === undefined)
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

  /** The channel with the key that made the response; undefined if the channel no longer has that key. */
  viewOf({ keyHash }: StoredResponse, views: readonly ChannelView[]): ChannelView | undefined {
    return views.find((view) => this.#hashOf(view.key) === keyHash)
  }

  async forget(userId: number, id: string): Promise<void> {
    this.#known.delete(id)
    this.#waiting.delete(waitingKey(userId, id))
    await this.#statements
    await storedResponses(this.#database).destroy({ where: { user_id: userId, id } })
  }

  /** Deletes what providers no longer store. */
  async sweep(signal?: AbortSignal): Promise<void> {
    const before = Math.floor(Date.now() / 1000) - KEPT_SECONDS
    await deleteResponsesBefore(this.#database, { before, signal })
  }

  /** Writes what is waiting, if the database takes it now. */
  async close(): Promise<void> {
    this.#isClosing = true
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

  /** Rows that arrive during a statement, and for a moment after it, are written together. */
  async #write(): Promise<void> {
    await Promise.resolve()
    while (this.#waiting.size > 0) {
      const rows = [...this.#waiting.values()]
      this.#waiting = new Map()
      const left: Row[] = []
      this.#statements = this.#insertAll(rows, left)
      await this.#statements
      this.#waitAgain(left)
      await delay(left.length > 0 ? AGAIN_MS : GATHERING_MS)
    }
    this.#writing = undefined
  }

  /** @param left gets the rows that the database may take later */
  async #insertAll(rows: readonly Row[], left: Row[]): Promise<void> {
    for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
      const some = rows.slice(start, start + ROWS_A_STATEMENT)
      try {
        await this.#insert(some)
      } catch (error) {
        if (isPassing(error) && !this.#isClosing) left.push(...some)
        else this.#log.error({ err: error, count: some.length }, 'stored responses are not kept')
      }
    }
  }

  /** But for those that were forgotten meanwhile. */
  #waitAgain(rows: readonly Row[]): void {
    for (const row of rows) {
      const key = waitingKey(row.userId, row.id)
      const isWanted = this.#known.get(row.id) === row && !this.#waiting.has(key)
      if (isWanted && this.#waiting.size < MOST_WAITING) this.#waiting.set(key, row)
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
