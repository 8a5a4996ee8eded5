import { asText, isObject, type JsonObject } from '../../contract/json.ts'
import { boundedJson } from '../../wire/bounded-json.ts'

interface Begun {
  place: number
  id: string
  /** The arguments of its first delta, as long as no other has come. */
  first: string | undefined
}

/** Finds the index of a tool call delta, because some servers leave `index` out or repeat ids: by the index, else by
 *  the id, else it is the open call. */
export class CallIndexes {
  readonly #byId = new Map<string, number>()
  /** By the upstream's index. */
  readonly #begun = new Map<number, Begun>()
  /** Places of calls that shared the index of another. */
  readonly #moved = new Set<number>()
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
    if (typeof call.index === 'number') return this.#placeOf(call.index, call)
    if (typeof call.id === 'string' && call.id !== '') {
      return this.#byId.get(call.id) ?? this.#next
    }
    return this.#last < 0 || nameOf(call) !== '' ? this.#next : this.#last
  }

  #placeOf(index: number, call: JsonObject): number {
    const begun = this.#begun.get(index)
    if (begun !== undefined && !isAnother(begun, call)) {
      begun.first = undefined
      return begun.place
    }
    const isTaken = begun !== undefined || this.#moved.has(index)
    const place = isTaken ? this.#next : index
    if (isTaken) this.#moved.add(place)
    this.#begun.set(index, { place, id: asText(call.id), first: argumentsOf(call) })
    return place
  }
}

/** Servers in front of Gemini send each of several calls whole, all of them with index 0 (github.com/su-kaka/gcli2api, pull request
 *  406). An id alone tells nothing: others make up a new one for each piece of a call (github.com/poolsideai/pool, issue 9). */
function isAnother({ id, first }: Begun, call: JsonObject): boolean {
  const own = asText(call.id)
  if (own === '' || own === id || nameOf(call) === '' || first === undefined) return false
  return isWhole(first) && isWhole(argumentsOf(call))
}

function isWhole(text: string): boolean {
  try {
    return isObject(boundedJson(text))
  } catch {
    return false
  }
}

function nameOf({ function: target }: JsonObject): string {
  return isObject(target) ? asText(target.name) : ''
}

function argumentsOf({ function: target }: JsonObject): string {
  return isObject(target) ? asText(target.arguments) : ''
}
