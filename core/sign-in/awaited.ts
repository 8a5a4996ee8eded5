// What a session waits for: that a provider sends somebody back, or that a passkey answers. It expires and is taken once.
import { isObject } from '../contract/json.ts'
import { isSameSecret } from '../contract/same-secret.ts'
import type { SessionHandle } from '../contract/http.ts'

/** How many of a kind a session may have, for several tabs. A new one replaces the oldest. */
const MOST = 5

interface Kind<Field extends string> {
  /** Where sessions keep them. */
  key: string
  /** The field by which they are found. Nobody can guess its value. */
  field: Field
  lifetimeMs: number
}

export class Awaited<Field extends string, Entry extends Record<Field, string>> {
  readonly #kind: Kind<Field>

  constructor(kind: Kind<Field>) {
    this.#kind = kind
  }

  keep(session: SessionHandle, entry: Entry): Promise<void> {
    const kept = { ...entry, startedAtMs: Date.now() }
    return session.change(this.#kind.key, (value) => [...this.#liveOf(value), kept].slice(-MOST))
  }

  /** Returns the one with a value of the field, and removes it.
   *  @returns undefined if it is unknown, expired, already taken, or belongs to another session */
  async take(session: SessionHandle, sent: string): Promise<Entry | undefined> {
    if (session.id === null) return undefined
    let found: Entry | undefined
    await session.change(this.#kind.key, (value) => {
      const all = this.#liveOf(value)
      found = all.find((entry) => isSameSecret(sent, entry[this.#kind.field]))
      return all.filter((entry) => entry !== found)
    })
    return found
  }

  #liveOf(value: unknown): Entry[] {
    if (!Array.isArray(value)) return []
    const since = Date.now() - this.#kind.lifetimeMs
    const isLive = (entry: unknown): entry is Entry =>
      isObject(entry) &&
      typeof entry[this.#kind.field] === 'string' &&
      Number(entry['startedAtMs']) > since
    return value.filter(isLive)
  }
}
