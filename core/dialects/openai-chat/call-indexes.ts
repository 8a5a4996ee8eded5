import { isObject, type JsonObject } from '../../contract/json.ts'

/** Finds the index of a tool call delta, because some servers leave `index` out or repeat ids: by the index, else by
 *  the id, else it is the open call. */
export class CallIndexes {
  readonly #byId = new Map<string, number>()
  #last = -1
  #next = 0

  indexOf(call: JsonObject): number {
    const index = this.#find(call)
    if (typeof call.id === 'string' && call.id !== '') this.#byId.set(call.id, index)
    this.#last = index
    this.#next = Math.max(this.#next, index + 1)
    return index
  }

  #find(call: JsonObject): number {
    if (typeof call.index === 'number') return call.index
    if (typeof call.id === 'string' && call.id !== '') {
      return this.#byId.get(call.id) ?? this.#next
    }
    const namesCall =
      isObject(call.function) && typeof call.function.name === 'string' && call.function.name !== ''
    return this.#last < 0 || namesCall ? this.#next : this.#last
  }
}
