// Gemini's calls mostly have no ids, but the other dialects match calls and results by id.
import { createHash } from 'node:crypto'

interface PendingCall {
  id: string
  name: string
}

/** Gives the calls of a conversation ids that stay the same whenever the conversation is sent again. */
export class ConversationCalls {
  #count = 0
  readonly #pending: PendingCall[] = []

  idOfCall(id: string | undefined, name: string, args: string): string {
    const made = id ?? this.#make(name, args)
    this.#count += 1
    this.#pending.push({ id: made, name })
    return made
  }

  /** The oldest call of that name without a result. */
  idOfResult(id: string | undefined, name: string): string {
    const index = this.#pending.findIndex((call) =>
      id === undefined ? call.name === name : call.id === id,
    )
    const found = index < 0 ? undefined : this.#pending.splice(index, 1)[0]
    return found?.id ?? id ?? name
  }

  #make(name: string, args: string): string {
    const digest = createHash('sha256').update(`${this.#count}:${name}:${args}`).digest('hex')
    return `call_${digest.slice(0, 24)}`
  }
}
