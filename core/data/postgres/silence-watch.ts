// If PostgreSQL stops answering without closing its connections (a frozen machine, a network that drops packets), each
// query would wait a quarter of an hour until TCP gives up. A time limit for statements would also end those that may
// take long: migrations, indexes, exports. So the watch asks the server over a new connection, and closes only
// connections on which the server is not working.
import { Socket } from 'node:net'
import { Client, DatabaseError } from 'pg'
import type { Logger } from '../../contract/services.ts'
import { busyBackends } from './bounded-session-sql.ts'

const LOOK_EVERY_MS = 2_000
/** A connection is quiet if it waits for an answer and no byte has moved on it during this many looks. */
const QUIET_LOOKS = 2

interface Watched {
  readonly client: Client
  /** The bytes that had moved on it at the last look (see `signOf`). */
  sign: string
  quietLooks: number
  /** How often in a row the server was not working on its query. After the first time the answer may still be on its way. */
  doubts: number
}

/** Has the code of a connection that TCP has given up, which database-errors.ts knows. */
class SilenceError extends Error {
  readonly code = 'ETIMEDOUT'
}

/** Watches connections rather than statements, so that it costs no time per statement. */
export class SilenceWatch {
  readonly #url: string
  readonly #log: Logger
  readonly #lookEveryMs: number
  readonly #all = new Set<Watched>()
  readonly #timer: NodeJS.Timeout
  #isJudging = false
  #silence: SilenceError | undefined

  /** @param lookEveryMs the server has twice this time to answer a new connection */
  constructor(url: string, log: Logger, lookEveryMs = LOOK_EVERY_MS) {
    this.#url = url
    this.#log = log
    this.#lookEveryMs = lookEveryMs
    this.#timer = setInterval(() => this.#look(), lookEveryMs).unref()
  }

  /** The error with which each new query should fail at once; undefined while the server is believed to answer. */
  get silence(): Error | undefined {
    return this.#silence
  }

  /** Watches a connection until it ends. */
  watch(client: Client): Client {
    const watched = { client, sign: '', quietLooks: 0, doubts: 0 }
    this.#all.add(watched)
    client.once('end', () => this.#all.delete(watched))
    return client
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    for (const watched of this.#all) {
      const sign = signOf(watched.client)
      const isQuiet = sign !== '' && sign === watched.sign
      watched.quietLooks = isQuiet ? watched.quietLooks + 1 : 0
      if (!isQuiet) watched.doubts = 0
      watched.sign = sign
      // The connection is being closed, and the server does not confirm it.
      const isHeard = this.#silence === undefined && watched.quietLooks < QUIET_LOOKS
      if (isLeaving(watched.client) && !isHeard) cut(watched)
    }
    const quiet = [...this.#all].filter(({ quietLooks }) => quietLooks >= QUIET_LOOKS)
    if (quiet.length === 0 && this.#silence === undefined) return
    if (this.#isJudging) return
    this.#isJudging = true
    void this.#judge(quiet).finally(() => {
      this.#isJudging = false
    })
  }

  async #judge(quiet: readonly Watched[]): Promise<void> {
    const heardBefore = this.#bytesRead()
    const answer = await this.#ask()
    if (answer === undefined) {
      // If other connections still get answers, the server only accepts no new one.
      if (this.#bytesRead() === heardBefore) this.#fallSilent(quiet)
      return
    }
    if (this.#silence !== undefined) this.#log.info({}, 'PostgreSQL answers again')
    this.#silence = undefined
    for (const watched of quiet.filter(isStillQuiet)) {
      watched.doubts = answer.isBusy(watched.client) ? 0 : watched.doubts + 1
      if (watched.doubts < 2) continue
      this.#log.warn({}, 'a connection to PostgreSQL that brought no answer was cut')
      cut(watched)
    }
  }

  #fallSilent(quiet: readonly Watched[]): void {
    const lost = quiet.filter(isStillQuiet)
    if (this.#silence === undefined) {
      this.#log.error({ count: lost.length }, 'PostgreSQL does not answer: its connections are cut')
      this.#silence = new SilenceError('PostgreSQL does not answer')
    }
    for (const watched of lost) cut(watched)
  }

  #bytesRead(): number {
    let bytes = 0
    for (const { client } of this.#all) bytes += socketOf(client)?.bytesRead ?? 0
    return bytes
  }

  /** Undefined if the server does not answer. */
  async #ask(): Promise<{ isBusy: (client: Client) => boolean } | undefined> {
    const client = new Client({ connectionString: this.#url, application_name: 'tollgate watch' })
    const limitMs = 2 * this.#lookEveryMs
    client.on('error', () => undefined)
    const giveUp = () =>
      client.connection.stream.destroy(new SilenceError(`no answer in ${limitMs} ms`))
    // One turn later, because the answer may have arrived while this process itself was blocked.
    const limit = setTimeout(() => setImmediate(giveUp), limitMs)
    try {
      await client.connect()
      const { rows } = await client.query<{ pid: number }>(busyBackends)
      const busy = new Set<unknown>(rows.map(({ pid }) => pid))
      // This connection's own process is among them, unless a proxy in between numbers processes itself.
      const isTrue = busy.has(processOf(client))
      return { isBusy: (other) => !isTrue || busy.has(processOf(other)) }
    } catch (error) {
      // A server that refuses the query is alive.
      return error instanceof DatabaseError ? { isBusy: () => true } : undefined
    } finally {
      clearTimeout(limit)
      client.end().catch(() => undefined)
      client.connection.stream.destroy()
    }
  }
}

function isStillQuiet({ client, sign, quietLooks }: Watched): boolean {
  return quietLooks >= QUIET_LOOKS && signOf(client) === sign
}

/** Empty for a connection that waits for nothing. */
function signOf(client: Client): string {
  const isWaiting = Reflect.get(client, 'readyForQuery') !== true || isLeaving(client)
  const socket = socketOf(client)
  return isWaiting && socket !== undefined ? `${socket.bytesRead} ${socket.bytesWritten}` : ''
}

// pg has these properties at run time, but its types do not name them.
function isLeaving(client: Client): boolean {
  return Reflect.get(client, '_ending') === true
}

function processOf(client: Client): unknown {
  return Reflect.get(client, 'processID')
}

function socketOf({ connection }: Client): Socket | undefined {
  return connection.stream instanceof Socket ? connection.stream : undefined
}

function cut({ client }: Watched): void {
  client.connection.stream.destroy(
    isLeaving(client) ? undefined : new SilenceError('PostgreSQL does not answer'),
  )
}
