// Stores what the calls of chosen users said: bounded, encrypted, and written in batches without delaying calls.
import type { DatabaseService, Logger, RelayView, SecretService, SeenCall } from '#core'
import { bounded } from './bounded.ts'
import { insertCall, type NewCall } from './capture-sql.ts'
import type { CapturedTexts } from './schema.ts'

const WRITE_MS = 1_000
const MOST_IN_BATCH = 50
/** Characters that may wait to be written. Further calls are lost, and counted. */
const MOST_WAITING = 32 * 1_048_576

export interface RecorderDeps {
  database: DatabaseService
  secrets: SecretService
  log: Logger
  /** How many characters of a question are kept, and of its answer as well. */
  callChars(): number
}

export class Recorder {
  readonly #deps: RecorderDeps
  #waiting: NewCall[] = []
  #waitingChars = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  /** Calls that could not be stored since this node started. */
  lost = 0

  constructor(deps: RecorderDeps) {
    this.#deps = deps
  }

  keep(view: RelayView, seen: SeenCall): void {
    const call = this.#callOf(view, seen)
    if (this.#waitingChars + call.sealed.length > MOST_WAITING) {
      this.#lose(1)
      return
    }
    this.#waiting.push(call)
    this.#waitingChars += call.sealed.length
    this.#timer ??= setTimeout(() => void this.write(), WRITE_MS).unref()
  }

  write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  #callOf(view: RelayView, seen: SeenCall): NewCall {
    const most = this.#deps.callChars()
    const request = bounded(view.body ?? { texts: [...view.texts()] }, most)
    const answer = bounded(seen.answer, most)
    const texts: CapturedTexts = {
      request: request.value,
      ...(seen.answer === undefined ? {} : { answer: answer.value }),
      ...(seen.error === undefined ? {} : { error: seen.error }),
      is_answer_cut: seen.isCut,
      channel_id: seen.channelId ?? 0,
      duration_ms: Math.round(seen.durationMs),
    }
    return {
      created_at: Math.floor(Date.now() / 1000),
      user_id: view.userId,
      token_id: view.tokenId,
      model: view.model.slice(0, 200),
      operation: view.operation,
      status: seen.status,
      request_id: view.requestId,
      size: request.size + (seen.answer === undefined ? 0 : answer.size),
      is_cut: request.isCut || answer.isCut || seen.isCut ? 1 : 0,
      sealed: this.#deps.secrets.encrypt(JSON.stringify(texts)),
    }
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_IN_BATCH)
      for (const { sealed } of batch) this.#waitingChars -= sealed.length
      try {
        const { database } = this.#deps
        await database.transaction(async (transaction) => {
          for (const call of batch) await insertCall(database, call, transaction)
        })
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'captured calls could not be written')
        this.#lose(batch.length)
      }
    }
  }

  #lose(count: number): void {
    this.lost += count
    this.#deps.log.warn({ count }, 'captured calls were lost')
  }
}
