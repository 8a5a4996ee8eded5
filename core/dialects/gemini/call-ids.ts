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
  readonly #answered = new Map<string, PendingCall>()

  idOfCall(id: string | undefined, name: string, args: string): string {
    const made = id ?? this.#make(name, args)
    this.#count += 1
    this.#pending.push({ id: made, name })
    return made
  }

  /** The call with that id, else the oldest one of that name without a result. Google compares how many there are of both: a client that no
   *  longer knows the name of a call may write another (any-llm: `unknown`). Its results come in the order of the calls. A call may have several
   *  results, of which all but the last say `willContinue`. */
  callOfResult(id: string | undefined, name: string): PendingCall {
    const pending = this.#pending
    const isNamed = (call: PendingCall) => call.name === name
    const isAsked = (call: PendingCall) => (id === undefined ? isNamed(call) : call.id === id)
    const asked = pending.find(isAsked) ?? this.#answered.get(id ?? '')
    const found = asked ?? pending.find(isNamed) ?? pending[0]
    if (found === undefined) return { id: id ?? name, name }
    const place = pending.indexOf(found)
    if (place >= 0) pending.splice(place, 1)
    this.#answered.set(found.id, found)
    return found
  }

  #make(name: string, args: string): string {
    const digest = createHash('sha256').update(`${this.#count}:${name}:${args}`).digest('hex')
    return `call_${digest.slice(0, 24)}`
  }
}
