import { isObject, type JsonObject } from '#core'

export interface Bounded {
  value: unknown
  /** About how many characters are kept. */
  size: number
  isCut: boolean
}

const DEEPEST = 40

/** A copy of a JSON value with at most this many characters. Left-out parts are replaced by a note. */
export function bounded(value: unknown, mostChars: number): Bounded {
  const room = new Room(mostChars)
  return { value: room.copy(value, 0), size: mostChars - Math.max(0, room.left), isCut: room.isCut }
}

class Room {
  left: number
  isCut = false

  constructor(chars: number) {
    this.left = chars
  }

  copy(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value)
    if (depth > DEEPEST) return this.#note('what lies deeper')
    if (Array.isArray(value)) return this.#list(value, depth)
    if (isObject(value)) return this.#object(value, depth)
    this.left -= 5
    return value
  }

  #text(text: string): string {
    if (text.length <= this.left) {
      this.left -= text.length + 3
      return text
    }
    const kept = text.slice(0, Math.max(0, this.left))
    this.left = 0
    return `${kept}${this.#note(`${text.length - kept.length} characters`)}`
  }

  #list(list: readonly unknown[], depth: number): unknown[] {
    const copies: unknown[] = []
    for (const [at, inner] of list.entries()) {
      if (this.left <= 0) return [...copies, this.#note(`${list.length - at} entries`)]
      copies.push(this.copy(inner, depth + 1))
    }
    return copies
  }

  #object(object: JsonObject, depth: number): JsonObject {
    const entries: [string, unknown][] = []
    const names = Object.keys(object)
    for (const [at, name] of names.entries()) {
      if (this.left <= 0) {
        entries.push(['…', this.#note(`${names.length - at} fields`)])
        break
      }
      this.left -= name.length + 4
      entries.push([name, this.copy(object[name], depth + 1)])
    }
    // An assignment would set the prototype where a field is called __proto__.
    return Object.fromEntries(entries)
  }

  #note(what: string): string {
    this.isCut = true
    return `[cut: ${what}]`
  }
}
