// Items of answers that we wrote, for clients that refer to an item instead of sending it again (`item_reference`). OpenAI stores its own items itself.
import { LRUCache } from 'lru-cache'
import { isObject, type JsonObject } from '../../contract/json.ts'

const ONE_HOUR_MS = 3_600_000
/** The bound for all users together. */
const CHARS_KEPT = 32 * 1_048_576
const LONGEST_ITEM = 262_144
/** Bounds the items that replace the references of one request: references are short, so a body can hold many of them. */
const MOST_CHARS_RESTORED = 4 * 1_048_576

export class AnswerItems {
  /** The items as JSON; the key is made of user and id. */
  readonly #items = new LRUCache<string, string>({
    maxSize: CHARS_KEPT,
    maxEntrySize: LONGEST_ITEM,
    sizeCalculation: ({ length }) => length,
    ttl: ONE_HOUR_MS,
  })

  keep(userId: number, output: readonly JsonObject[]): void {
    for (const item of output) {
      if (typeof item['id'] !== 'string' || item['type'] === 'image_generation_call') continue
      this.#items.set(keyOf(userId, item['id']), JSON.stringify(item))
    }
  }

  /** A Responses body with its references replaced by the items that they name; the same object if no item is known. */
  restore(userId: number, body: JsonObject): JsonObject {
    const { input } = body
    if (!Array.isArray(input)) return body
    let charsLeft = MOST_CHARS_RESTORED
    let isRestored = false
    const restored = (input as unknown[]).map((entry) => {
      const text = this.#meantBy(entry, userId)
      if (text === undefined || text.length > charsLeft) return entry
      charsLeft -= text.length
      isRestored = true
      return JSON.parse(text) as JsonObject
    })
    return isRestored ? { ...body, input: restored } : body
  }

  /** The referenced ids that this gateway made but this node does not know; another node may. Ids made by providers are not among them. */
  unknown(userId: number, { input }: JsonObject): string[] {
    if (!Array.isArray(input)) return []
    const ids = (input as unknown[]).flatMap((entry) => referredBy(entry) ?? [])
    return [...new Set(ids)].filter((id) => ownId.test(id) && !this.#items.has(keyOf(userId, id)))
  }

  /** The JSON of an item. */
  find(userId: number, id: string): string | undefined {
    return this.#items.get(keyOf(userId, id))
  }

  #meantBy(entry: unknown, userId: number): string | undefined {
    const id = referredBy(entry)
    return id === undefined ? undefined : this.find(userId, id)
  }
}

/** The form of our own ids in the Responses dialect: the id of the request (http/request-id.ts), then the item's place. */
const ownId = /^[a-z]{2,4}_\d{23}[0-9A-Za-z]{8}_\d{1,6}$/

function referredBy(entry: unknown): string | undefined {
  if (!isObject(entry) || typeof entry['id'] !== 'string') return undefined
  // OpenAI also accepts a reference without its type.
  const isReference =
    entry['type'] === 'item_reference' ||
    (entry['type'] === undefined && entry['role'] === undefined)
  return isReference ? entry['id'] : undefined
}

function keyOf(userId: number, id: string): string {
  return `${userId}\n${id}`
}
