import { relayErrors } from '../call/relay-errors.ts'

/** What every answer may take: those of chats are smaller. */
const SMALL_BYTES = 1_048_576

/** Bounds what all answers of a process that are read as a whole take together, as bodies are bounded: a few compressed ones could fill its memory. */
export class AnswerRoom {
  readonly #limitBytes: number
  #held = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  open(): AnswerShare {
    return new AnswerShare(this)
  }

  /** @param held what the same attempt has taken before @throws relay.answers_full, relay.answer_too_large */
  take(bytes: number, held: number): void {
    if (held + bytes > this.#limitBytes) throw relayErrors.answerTooLarge()
    if (this.#held + bytes > this.#limitBytes) throw relayErrors.answersFull()
    this.#held += bytes
  }

  give(bytes: number): void {
    this.#held -= bytes
  }
}

/** What one attempt takes of the room. */
export class AnswerShare {
  readonly #room: AnswerRoom
  #bytes = 0
  #held = 0

  constructor(room: AnswerRoom) {
    this.#room = room
  }

  /** Counts bytes that arrived or were decompressed. @throws relay.answers_full, relay.answer_too_large */
  take(bytes: number): void {
    this.#bytes += bytes
    const above = this.#bytes - SMALL_BYTES - this.#held
    if (above <= 0) return
    this.#room.take(above, this.#held)
    this.#held += above
  }

  /** The answer is not needed any more. */
  close(): void {
    this.#room.give(this.#held)
    this.#bytes = 0
    this.#held = 0
  }
}
