// What we wrote, for clients that refer to it instead of sending it again: single items of an answer (`item_reference`), and turns, the conversation
// up to an answer (`previous_response_id`), which they may read again. Providers that store answers know their own.
import { isObject, type JsonObject } from '../../contract/json.ts'
import { KeptTexts } from './kept-texts.ts'

const MIB = 1_048_576
const LONGEST_ITEM = 262_144
/** Bounds the items that replace the references of one request: references are short, so a body can hold many of them. */
const MOST_CHARS_RESTORED = 4 * MIB

/** What one call adds to its conversation: what the client sent, then the answer. */
export interface Turn {
  id: string
  /** The turn that it goes on from. */
  previous: string | undefined
  /** What was added to the conversation; the output of the model is last. */
  items: readonly JsonObject[]
  answer: WrittenAnswer
}

/** An answer as the client read it. */
export interface WrittenAnswer {
  /** Without its output. */
  head: JsonObject
  output: readonly JsonObject[]
}

export interface KnownAnswer extends WrittenAnswer {
  /** What its request added to the conversation. */
  added: readonly JsonObject[]
}

interface IdAndText {
  id: string
  text: string
}

export class AnswerItems {
  /** Each item as JSON. */
  readonly #items = new KeptTexts({ all: 16 * MIB, aUser: 4 * MIB })
  /** Each turn as the id of the one before it, a line feed, and the inside of a JSON list. */
  readonly #turns = new KeptTexts({ all: 32 * MIB, aUser: 8 * MIB })
  /** Of each answer the number of its items of output, a line feed, and the rest of it as JSON. */
  readonly #heads = new KeptTexts({ all: 16 * MIB, aUser: 4 * MIB })

  keep(userId: number, output: readonly JsonObject[]): void {
    for (const item of output) {
      if (typeof item['id'] !== 'string' || item['type'] === 'image_generation_call') continue
      this.keepText(userId, { id: item['id'], text: JSON.stringify(item) })
    }
  }

  keepTurn(userId: number, { id, previous, items, answer }: Turn): void {
    const text = `${previous ?? ''}\n${JSON.stringify(items).slice(1, -1)}`
    this.keepText(userId, { id, text })
    const head = `${answer.output.length}\n${JSON.stringify(answer.head)}`
    this.keepText(userId, { id: headIdOf(id), text: head })
  }

  /** As another node wrote it. */
  keepText(userId: number, { id, text }: IdAndText): void {
    const room = this.#roomOf(id)
    if (room !== this.#items || text.length <= LONGEST_ITEM) room.keep(userId, id, text)
  }

  #roomOf(id: string): KeptTexts {
    if (isTurnId(id)) return this.#turns
    return headId.test(id) ? this.#heads : this.#items
  }

  /** A Responses body with its references replaced by the items that they name; the same object if no item is known. */
  restore(userId: number, body: JsonObject): JsonObject {
    const { input } = body
    if (!Array.isArray(input)) return body
    let charsLeft = MOST_CHARS_RESTORED
    let isRestored = false
    const restored = (input as unknown[]).map((entry) => {
      const id = referredBy(entry)
      const text = id === undefined ? undefined : this.#items.find(userId, id)
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
    return [...new Set(ids)].filter((id) => itemId.test(id) && !this.#items.has(userId, id))
  }

  /** All that was said up to a turn; undefined if a part of it is not known (any more), or if it is longer than what one request may refer to. */
  conversation(userId: number, id: string): JsonObject[] | undefined {
    const { turns, isWhole } = this.#upTo(userId, id)
    if (!isWhole) return undefined
    const lists = turns.map(({ text }) => afterLine(text)).reverse()
    return JSON.parse(`[${lists.filter((list) => list !== '').join()}]`) as JsonObject[]
  }

  /** The answer of a turn; undefined if it is not known (any more). */
  answer(userId: number, id: string): KnownAnswer | undefined {
    const kept = this.#heads.find(userId, headIdOf(id))
    const turn = this.#turns.find(userId, id)
    if (kept === undefined || turn === undefined) return undefined
    const { outputs, head } = readHead(kept)
    const said = JSON.parse(`[${afterLine(turn)}]`) as JsonObject[]
    const place = said.length - outputs
    return { head, added: said.slice(0, place), output: said.slice(place) }
  }

  /** What the model was told for a turn, from the beginning of its conversation on, or from this turn on if what was before it is not known
   *  as a `conversation`. */
  inputOf(userId: number, id: string): readonly JsonObject[] | undefined {
    const answer = this.answer(userId, id)
    const said = answer && this.conversation(userId, id)
    return said ? said.slice(0, said.length - answer.output.length) : answer?.added
  }

  /** The ids of what is needed to read an answer, as far as this node does not know it. */
  missingOf(userId: number, id: string): string[] {
    const isHeadKnown = this.#heads.has(userId, headIdOf(id))
    return [...(this.hasTurn(userId, id) ? [] : [id]), ...(isHeadKnown ? [] : [headIdOf(id)])]
  }

  /** Later turns of the conversation cannot be gone on from, either. Its items may have come here without it.
   *  @returns whether any of it was known */
  forgetTurn(userId: number, id: string): boolean {
    const isKnown = this.hasPart(userId, id)
    this.#items.forgetWhere(userId, (item) => turnOf(item) === id)
    this.#turns.forget(userId, id)
    this.#heads.forget(userId, headIdOf(id))
    return isKnown
  }

  /** A turn that is too long to be kept has items nevertheless, and one that is gone on from may have outlived the rest of its answer. */
  hasPart(userId: number, id: string): boolean {
    return this.missingOf(userId, id).length < 2
  }

  /** Here; another node may. */
  hasTurn(userId: number, id: string): boolean {
    return this.#turns.has(userId, id)
  }

  /** The first turn of a conversation, from its end on, that is not known. */
  missingTurn(userId: number, id: string): string | undefined {
    return this.#upTo(userId, id).missing
  }

  /** An item, or a turn with all before it that are known. */
  textsOf(userId: number, id: string): IdAndText[] {
    if (isTurnId(id)) return this.#upTo(userId, id).turns
    const text = this.#roomOf(id).find(userId, id)
    return text === undefined ? [] : [{ id, text }]
  }

  /** The last turn is first. */
  #upTo(userId: number, last: string): { turns: IdAndText[]; isWhole: boolean; missing?: string } {
    const turns: IdAndText[] = []
    let charsLeft = MOST_CHARS_RESTORED
    for (let id = last; id !== ''; ) {
      const text = this.#turns.find(userId, id)
      if (text === undefined) return { turns, isWhole: false, missing: id }
      charsLeft -= text.length
      if (charsLeft < 0) return { turns, isWhole: false }
      turns.push({ id, text })
      id = text.slice(0, text.indexOf('\n'))
    }
    return { turns, isWhole: true }
  }
}

/** The form of our own ids in the Responses dialect: the id of the request (http/request-id.ts), then the item's place. */
const itemId = /^[a-z]{2,4}_(\d{23}[0-9A-Za-z]{8})_\d{1,6}$/
const turnId = /^(resp|int)_\d{23}[0-9A-Za-z]{8}$/
const headId = /^head_(?:resp|int)_\d{23}[0-9A-Za-z]{8}$/

/** Nobody outside names it: under this id nodes hand over what belongs to a turn. */
function headIdOf(turn: string): string {
  return `head_${turn}`
}

/** The turn that something kept belongs to. */
export function turnOf(id: string): string {
  if (headId.test(id)) return id.slice(headIdOf('').length)
  const request = itemId.exec(id)?.[1]
  return request === undefined ? id : `resp_${request}`
}

function readHead(kept: string): { outputs: number; head: JsonObject } {
  return { outputs: Number.parseInt(kept, 10), head: JSON.parse(afterLine(kept)) as JsonObject }
}

function afterLine(text: string): string {
  return text.slice(text.indexOf('\n') + 1)
}

/** Whether this is the id of an answer that we wrote, as a response or an interaction: no provider knows it, unless it is another such gateway. */
export function isTurnId(id: unknown, kind?: 'resp' | 'int'): id is string {
  const known = typeof id === 'string' ? turnId.exec(id) : null
  return known !== null && (kind === undefined || kind === known[1])
}

function referredBy(entry: unknown): string | undefined {
  if (!isObject(entry) || typeof entry['id'] !== 'string') return undefined
  // OpenAI also accepts a reference without its type.
  const isReference =
    entry['type'] === 'item_reference' ||
    (entry['type'] === undefined && entry['role'] === undefined)
  return isReference ? entry['id'] : undefined
}
