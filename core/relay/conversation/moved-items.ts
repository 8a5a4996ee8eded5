// Shares items of answers among the nodes of one PostgreSQL. If a client refers to an item that this node does not
// know, the node asks the others over the bus, and the item is handed over through a table.
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../contract/json.ts'
import type { ClusterBus, DatabaseService, Logger, SecretService } from '../../contract/services.ts'
import { type AnswerItems, isTurnId, type KnownAnswer, type Turn, turnOf } from './answer-items.ts'
import { ForgottenTurns } from './forgotten-turns.ts'
import { forgetLeft, handOver, takeOver } from './moved-items-sql.ts'

const WANTED = 'items.wanted'
const GIVEN = 'items.given'
/** How long a call waits for other nodes that say nothing. Then it continues with what is known. */
const PATIENCE_MS = 3_000
/** How many ids fit into one message of the bus. */
const IDS_A_MESSAGE = 60
/** How many ids one call may ask for; a conversation that is new to a node may refer to many. */
const MOST_IDS = 600
/** How many calls may wait at the same time; further ones continue without asking. */
const MOST_WAITING = 200
/** Of one user, so that ids which nobody knows do not keep the others from asking. */
const MOST_WAITING_A_USER = 50
/** How many nodes may each know only a part of one conversation. */
const MOST_PARTS = 8

interface Waiting {
  userId: number
  missing: Set<string>
  /** The answers that are to come, as `answerOf` names them; undefined while it is not known which nodes there are. */
  silent: Set<string> | undefined
  done: () => void
}

export interface MovedItemsDeps {
  items: AnswerItems
  database: DatabaseService
  cluster: ClusterBus
  secrets: SecretService
  log: Logger
  /** The ids of the other nodes; undefined while they are not known. */
  nodes: { others(): readonly string[] | undefined }
  patienceMs?: number
}

export class MovedItems {
  /** The items of this node. */
  readonly items: AnswerItems
  readonly #deps: MovedItemsDeps
  readonly #waiting = new Map<string, Waiting>()
  readonly #forgotten: ForgottenTurns
  readonly #unsubscribe: (() => void)[] = []

  constructor(deps: MovedItemsDeps) {
    this.#deps = deps
    this.items = deps.items
    this.#forgotten = new ForgottenTurns(deps)
    // SQLite allows only one process, so there are no other nodes.
    if (deps.database.dialect !== 'postgres') return
    // The bus may lose a question or a hint; the call that asked then stops waiting by itself.
    const nothing = async () => undefined
    const { cluster } = deps
    this.#unsubscribe.push(
      cluster.subscribe(WANTED, (question) => this.#give(question), nothing),
      cluster.subscribe(GIVEN, (answer) => this.#take(answer), nothing),
    )
  }

  keep(userId: number, output: readonly JsonObject[]): void {
    this.items.keep(userId, output)
  }

  /** As `AnswerItems.restore`, including the items of other nodes. */
  async restore(userId: number, body: JsonObject): Promise<JsonObject> {
    await this.#bring(userId, this.items.unknown(userId, body))
    return this.items.restore(userId, body)
  }

  keepTurn(userId: number, turn: Turn): void {
    this.items.keepTurn(userId, turn)
  }

  hasTurn(userId: number, id: string): boolean {
    return this.items.hasTurn(userId, id)
  }

  /** As `AnswerItems.conversation`, including the turns of other nodes. */
  async conversation(userId: number, id: string): Promise<JsonObject[] | undefined> {
    let missing = this.items.missingTurn(userId, id)
    for (let asked = 0; isTurnId(missing) && asked < MOST_PARTS; asked += 1) {
      await this.#bring(userId, [missing])
      const next = this.items.missingTurn(userId, id)
      if (next === missing) return undefined
      missing = next
    }
    return this.items.conversation(userId, id)
  }

  /** As `AnswerItems.answer`, including those of other nodes. */
  async answer(userId: number, id: string): Promise<KnownAnswer | undefined> {
    await this.#bring(userId, this.items.missingOf(userId, id))
    return this.items.answer(userId, id)
  }

  /** What the model was told for an answer that is known. */
  async inputOf(userId: number, id: string): Promise<readonly JsonObject[] | undefined> {
    await this.conversation(userId, id)
    return this.items.inputOf(userId, id)
  }

  /** On all nodes. @returns whether it was known */
  async forgetTurn(userId: number, id: string): Promise<boolean> {
    if (!this.items.hasPart(userId, id)) await this.#bring(userId, this.items.missingOf(userId, id))
    if (!this.items.hasPart(userId, id)) return false
    await this.#forgotten.forget(userId, id)
    return true
  }

  /** Deletes what no node can remember any more. */
  sweep(): Promise<void> {
    return this.#forgotten.sweep()
  }

  /** Copies the items that other nodes have into this node's. */
  async #bring(userId: number, ids: readonly string[]): Promise<void> {
    if (this.#unsubscribe.length === 0) return
    const others = this.#deps.nodes.others()
    if (ids.length === 0 || others?.length === 0 || !this.#mayWait(userId)) return
    const wanted = await this.#notForgotten(userId, ids.slice(0, MOST_IDS))
    if (wanted.length === 0 || !this.#mayWait(userId)) return
    const question = randomUUID()
    const messages = inMessages(wanted)
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const patience = setTimeout(() => resolve(undefined), this.#deps.patienceMs ?? PATIENCE_MS)
    this.#waiting.set(question, {
      userId,
      missing: new Set(wanted),
      silent:
        others && new Set(messages.flatMap((_, part) => others.map((id) => answerOf(id, part)))),
      done: () => resolve(undefined),
    })
    try {
      const { cluster } = this.#deps
      for (const [part, some] of messages.entries())
        await cluster.publish(WANTED, { from: cluster.nodeId, question, part, userId, ids: some })
      await promise
    } finally {
      clearTimeout(patience)
      this.#waiting.delete(question)
    }
  }

  async #notForgotten(userId: number, ids: readonly string[]): Promise<string[]> {
    const forgotten = await this.#forgotten.among(userId, ids.map(turnOf))
    return ids.filter((id) => !forgotten.has(turnOf(id)))
  }

  #isForgotten(userId: number, id: string): boolean {
    return this.#forgotten.has(userId, turnOf(id))
  }

  #mayWait(userId: number): boolean {
    if (this.#waiting.size >= MOST_WAITING) return false
    const own = [...this.#waiting.values()].filter((waiting) => waiting.userId === userId)
    return own.length < MOST_WAITING_A_USER
  }

  close(): void {
    this.#forgotten.close()
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe()
    for (const { done } of this.#waiting.values()) done()
  }

  /** Answers the question of another node, also where nothing of it is known here: nobody need wait for this node then. */
  async #give({ from, question, part, userId, ids }: JsonObject): Promise<void> {
    const { items } = this
    const { cluster, database, secrets } = this.#deps
    if (from === cluster.nodeId || typeof question !== 'string' || !Array.isArray(ids)) return
    const known = (ids as unknown[]).flatMap((id) => items.textsOf(Number(userId), String(id)))
    const rows = known.map(({ id, text }) => ({ question, id, sealed: secrets.encrypt(text) }))
    if (rows.length > 0) {
      await forgetLeft(database)
      await handOver(database, rows)
    }
    const answer = answerOf(cluster.nodeId, Number(part))
    await cluster.publish(GIVEN, { question, answer, isEmpty: rows.length === 0 })
  }

  /** Fetches what another node has handed over. */
  async #take({ question, answer, isEmpty }: JsonObject): Promise<void> {
    const waiting = this.#waiting.get(String(question))
    if (!waiting) return
    if (isEmpty !== true) await this.#fetch(String(question), waiting)
    waiting.silent?.delete(String(answer))
    if (waiting.missing.size === 0 || waiting.silent?.size === 0) waiting.done()
  }

  async #fetch(question: string, { userId, missing }: Waiting): Promise<void> {
    const { items } = this
    const { database, secrets, log } = this.#deps
    for (const { id, sealed } of await takeOver(database, question)) {
      try {
        if (!this.#isForgotten(userId, id))
          items.keepText(userId, { id, text: secrets.decrypt(sealed) })
      } catch (error) {
        log.warn({ err: error, item: id }, 'an item of another node cannot be read')
      }
      missing.delete(id)
    }
  }
}

function inMessages(ids: readonly string[]): string[][] {
  const messages: string[][] = []
  for (let start = 0; start < ids.length; start += IDS_A_MESSAGE)
    messages.push(ids.slice(start, start + IDS_A_MESSAGE))
  return messages
}

/** Of one node to one message. */
function answerOf(nodeId: string, part: number): string {
  return `${part}/${nodeId}`
}
