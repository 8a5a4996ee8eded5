// Gemini's calls mostly have no ids, but the other dialects match calls and results by id.
import { createHash } from 'node:crypto'

interface PendingCall {
  readonly id: string
  readonly name: string
  isAnswered: boolean
}

/** Calls in their order. Answered ones are passed over once, so that many calls cost no more than each by itself. */
class Waiting {
  readonly #calls: PendingCall[] = []
  #from = 0

  add(call: PendingCall): void {
    this.#calls.push(call)
  }

  /** The oldest one without a result. */
  get first(): PendingCall | undefined {
    while (this.#calls[this.#from]?.isAnswered) this.#from += 1
    return this.#calls[this.#from]
  }
}

/** Gives the calls of a conversation ids that stay the same whenever the conversation is sent again. */
export class ConversationCalls {
  #count = 0
  readonly #pending = new Waiting()
  readonly #pendingById = new Map<string, Waiting>()
  readonly #pendingByName = new Map<string, Waiting>()
  readonly #answered = new Map<string, PendingCall>()

  idOfCall(id: string | undefined, name: string, args: string): string {
    const made = id ?? this.#make(name, args)
    this.#count += 1
    const call = { id: made, name, isAnswered: false }
    this.#pending.add(call)
    waitingOf(this.#pendingById, made).add(call)
    waitingOf(this.#pendingByName, name).add(call)
    return made
  }

  /** The call with that id, else the oldest one of that name without a result. Google compares how many there are of both: a client that no
   *  longer knows the name of a call may write another (any-llm: `unknown`). Its results come in the order of the calls. A call may have several
   *  results, of which all but the last say `willContinue`. */
  callOfResult(id: string | undefined, name: string): Pick<PendingCall, 'id' | 'name'> {
    const named = () => this.#pendingByName.get(name)?.first
    const pending = id === undefined ? named() : this.#pendingById.get(id)?.first
    const asked = pending ?? this.#answered.get(id ?? '')
    const found = asked ?? named() ?? this.#pending.first
    if (found === undefined) return { id: id ?? name, name }
    found.isAnswered = true
    this.#answered.set(found.id, found)
    return found
  }

  #make(name: string, args: string): string {
    const digest = createHash('sha256').update(`${this.#count}:${name}:${args}`).digest('hex')
    return `call_${digest.slice(0, 24)}`
  }
}

function waitingOf(all: Map<string, Waiting>, key: string): Waiting {
  const known = all.get(key)
  if (known) return known
  const fresh = new Waiting()
  all.set(key, fresh)
  return fresh
}
