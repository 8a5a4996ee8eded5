import { type Sender, Shares } from '../../limits/shares.ts'
import { relayErrors } from '../call/relay-errors.ts'

/** What every answer may take: those of chats are smaller. */
const SMALL_BYTES = 1_048_576

/** Bounds what all answers of a process that are read as a whole take together, as bodies are bounded: a few compressed ones could fill its memory. */
export class AnswerRoom {
  readonly #limitBytes: number
  #held = 0
  readonly #shares = new Shares()

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  /** @param sender the account that the answer is for, if any */
  open(sender: Sender = ''): AnswerShare {
    return new AnswerShare(this, sender)
  }

  /** @throws relay.answers_full, relay.answer_too_large */
  take(bytes: number, { held, sender, isWished }: Taking): void {
    if (held + bytes > this.#limitBytes) throw relayErrors.answerTooLarge()
    const free = this.#limitBytes - this.#held - bytes
    const ofSender = this.#shares.of(sender)
    const isGreedy = isWished && ofSender > held && ofSender + bytes > free
    if (free < 0 || isGreedy) throw relayErrors.answersFull()
    this.give(-bytes, sender)
  }

  give(bytes: number, sender: Sender): void {
    this.#held -= bytes
    this.#shares.add(sender, -bytes)
  }
}

interface Taking {
  /** What the same attempt has taken before. */
  held: number
  sender: Sender
  /** Of a file that the client names, from a server of its choice: such files of a sender take no more than they leave free, so that none can fill the
   *  room by slow ones. Answers may, for their upstream has been paid. */
  isWished: boolean
}

/** What one attempt takes of the room. */
export class AnswerShare {
  readonly #room: AnswerRoom
  readonly #sender: Sender
  #bytes = 0
  #held = 0
  #hasClosed = false
  #isPaid = false

  constructor(room: AnswerRoom, sender: Sender) {
    this.#room = room
    this.#sender = sender
  }

  /** Counts bytes that arrived or were decompressed. @throws relay.answers_full, relay.answer_too_large */
  take(bytes: number): void {
    this.#count(bytes, false)
  }

  /** The call has been sent: from now on files are those that its answer names. */
  noteSent(): void {
    this.#isPaid = true
  }

  /** The same for a file by its URL, which before the call is sent is one that the client names. One that still comes when the share was closed, as another file of the call failed, is ended:
   *  nobody would give back what it takes. @throws relay.answers_full, relay.answer_too_large */
  takeFile(bytes: number): void {
    if (this.#hasClosed) throw relayErrors.answersFull()
    try {
      this.#count(bytes, !this.#isPaid)
    } catch (error) {
      // At once, for else the sender's next file would be refused for the sake of this one.
      this.close()
      throw error
    }
  }

  #count(bytes: number, isWished: boolean): void {
    this.#bytes += bytes
    const above = this.#bytes - SMALL_BYTES - this.#held
    if (above <= 0) return
    this.#room.take(above, { held: this.#held, sender: this.#sender, isWished })
    this.#held += above
  }

  /** The answer is not needed any more. A later one may take room again. */
  close(): void {
    this.#hasClosed = true
    this.#room.give(this.#held, this.#sender)
    this.#bytes = 0
    this.#held = 0
  }
}
