// Bounds JSON before it is parsed: a few compressed kilobytes of brackets could otherwise become gigabytes of objects.

export interface JsonBounds {
  /** Of lists and objects in each other. */
  depth: number
  values: number
  /** Lists and objects, each of which costs a hundred times as much as a number. */
  holders: number
  /** Different names of fields, and different sequences of first names in objects. V8 stores each name separately and keeps a hidden class
   *  for each sequence, which takes 2 µs: half a million block the event loop for more than a second. */
  names: number
}

/** Ten times the longest list of tokens that an embedding call may contain. */
const MAX_NODES = 500_000
const ofBodies: JsonBounds = {
  depth: 128,
  values: MAX_NODES,
  holders: MAX_NODES,
  names: 50_000,
}
/** Answers may hold thousands of vectors, or twenty other words for each of their own, which are names of fields in OpenAI's first form of
 *  log probabilities (`top_logprobs` of completions) and in that of vLLM (`prompt_logprobs`). */
export const answerBounds: JsonBounds = {
  depth: 256,
  values: 16_000_000,
  holders: 2_000_000,
  names: 400_000,
}
/** Every object of this size is slow, whether or not its names occurred before. */
const LARGE_OBJECT = 1000
/** All of them together may have so many fields: half a million block the event loop for two seconds. */
const MAX_LARGE_FIELDS = 50_000

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Random, so that nobody can choose names that collide. */
const seed = Math.floor(Math.random() * 2 ** 31)

export interface JsonMeasure {
  /** Which bound was exceeded; undefined if none was. */
  fault: string | undefined
  /** The number of fields in all objects, if no bound was exceeded and the text is JSON: the colons outside of strings. */
  members: number
}

/** Reads each character once and skips strings quickly. Reads a second time if there are more fields than there may be names. */
export function measureJson(text: string, bounds = ofBodies): JsonMeasure {
  const meter = bounds === ofBodies ? quick : new JsonMeter(undefined, bounds)
  meter.clear()
  const fault = meter.take(text)
  const { members } = meter
  if (fault !== undefined || members <= bounds.names) return { fault, members }
  return { fault: new JsonMeter(new FieldNames(bounds), bounds).take(text), members }
}

/** Measures a text piece by piece. Takes UTF-16, or bytes read as Latin-1, since everything that counts is ASCII. */
export class JsonMeter {
  members = 0
  #nodes = 0
  #holders = 0
  #depth = 0
  #fieldsOfLarge = 0
  #isInString = false
  /** The number of backslashes at the end of a piece that ended inside a string. */
  #backslashes = 0
  /** The number of fields of each open object, by depth. */
  readonly #fieldsAt: Uint32Array
  readonly #names: FieldNames | undefined
  readonly #bounds: JsonBounds

  constructor(names?: FieldNames, bounds = ofBodies) {
    this.#names = names
    this.#bounds = bounds
    this.#fieldsAt = new Uint32Array(bounds.depth + 1)
  }

  clear(): void {
    this.members = this.#nodes = this.#holders = this.#depth = this.#fieldsOfLarge = 0
    this.#isInString = false
  }

  /** @returns which bound this piece exceeds */
  take(piece: string): string | undefined {
    const names = this.#names
    const { values: mostNodes } = this.#bounds
    let nodes = this.#nodes
    let at = this.#isInString ? this.#leap(piece, 0, this.#backslashes) + 1 : 0
    for (; at < piece.length; at += 1) {
      switch (piece.charCodeAt(at)) {
        case QUOTE:
          at = this.#leap(piece, at + 1, 0)
          break
        case OPEN_LIST:
          nodes += 1
          if (!this.#open()) return this.#overfull()
          names?.openList(this.#depth)
          break
        case OPEN_OBJECT:
          nodes += 1
          if (!this.#open()) return this.#overfull()
          names?.openObject(this.#depth)
          break
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          this.#depth -= 1
          break
        case COLON: {
          const fault = this.#takeField()
          if (fault !== undefined) return fault
          break
        }
        case COMMA:
          nodes += 1
          if (nodes > mostNodes) return tooMany(mostNodes)
          names?.next(this.#depth)
      }
    }
    this.#nodes = nodes
    return nodes > mostNodes ? tooMany(mostNodes) : undefined
  }

  #open(): boolean {
    this.#depth += 1
    this.#holders += 1
    if (this.#depth > this.#bounds.depth || this.#holders > this.#bounds.holders) return false
    this.#fieldsAt[this.#depth] = 0
    return true
  }

  #overfull(): string {
    const { depth, holders } = this.#bounds
    return this.#depth > depth ? `it is nested more than ${depth} levels deep` : tooMany(holders)
  }

  #takeField(): string | undefined {
    this.members += 1
    const count = (this.#fieldsAt[this.#depth] ?? 0) + 1
    this.#fieldsAt[this.#depth] = count
    if (count > LARGE_OBJECT) {
      this.#fieldsOfLarge += count === LARGE_OBJECT + 1 ? count : 1
      if (this.#fieldsOfLarge > MAX_LARGE_FIELDS) return tooLarge
    }
    return this.#names?.take(this.#depth)
  }

  /** Skips a string whose first character in this piece is at `start`. @returns the position of its closing quote, or
   *  the end of the piece */
  #leap(piece: string, start: number, backslashes: number): number {
    const end = closingQuote(piece, start, backslashes)
    if (end < 0) return this.#leave(piece, start, backslashes)
    this.#isInString = false
    this.#names?.read(piece, start, end)
    return end
  }

  /** The string continues in the next piece. */
  #leave(piece: string, start: number, backslashes: number): number {
    this.#isInString = true
    this.#backslashes = backslashesBefore(piece, piece.length, start, backslashes)
    this.#names?.read(piece, start, piece.length)
    return piece.length
  }
}

const tooMany = (values: number) => `it holds more than ${values} values`
const tooLarge = `its objects of more than ${LARGE_OBJECT} fields have more than ${MAX_LARGE_FIELDS} of them`

/** Counts the different names, and the different sequences of names with which objects begin. Long lists of similar
 *  objects have few of both. */
export class FieldNames {
  readonly #names = new Set<number>()
  readonly #forms = new Set<number>()
  readonly #isObjectAt: Uint8Array
  readonly #formAt: Int32Array
  readonly #most: number
  #isName = false
  #name = seed

  constructor({ depth, names } = ofBodies) {
    this.#most = names
    this.#isObjectAt = new Uint8Array(depth + 1)
    this.#formAt = new Int32Array(depth + 1)
  }

  openList(depth: number): void {
    this.#isObjectAt[depth] = 0
    this.#isName = false
  }

  openObject(depth: number): void {
    this.#isObjectAt[depth] = 1
    this.#formAt[depth] = seed
    this.next(depth)
  }

  /** Called after a comma. */
  next(depth: number): void {
    this.#isName = this.#isObjectAt[depth] === 1
    this.#name = seed
  }

  /** Takes a string, or a part of it. */
  read(piece: string, start: number, end: number): void {
    if (!this.#isName) return
    let name = this.#name
    for (let at = start; at < end; at += 1) name = mixed(name, piece.charCodeAt(at))
    this.#name = name
  }

  /** Takes the string before a colon as a name. @returns which bound it exceeds */
  take(depth: number): string | undefined {
    this.#isName = false
    this.#names.add(this.#name)
    const most = this.#most
    if (this.#names.size > most) return `its fields have more than ${most} different names`
    const form = mixed(this.#formAt[depth] ?? seed, this.#name)
    this.#formAt[depth] = form
    this.#forms.add(form)
    if (this.#forms.size <= most) return undefined
    return `its objects have more than ${most} different rows of names`
  }
}

/** FNV-1a with a rotation, since its low bits alone would depend on the low bits of the input only. */
function mixed(hash: number, value: number): number {
  const product = Math.imul(hash ^ value, 0x01000193)
  return product ^ (product >>> 15)
}

/** Finds the closing quote. Backslashes are counted backwards from each quote, so each is read once. */
function closingQuote(text: string, start: number, backslashes: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    const isPlain = at > start && text.charCodeAt(at - 1) !== BACKSLASH
    if (isPlain || backslashesBefore(text, at, start, backslashes) % 2 === 0) return at
  }
  return -1
}

/** Counts backslashes before `end`, including those of the previous piece if nothing else is in between. */
function backslashesBefore(text: string, end: number, start: number, earlier: number): number {
  let at = end
  while (at > start && text.charCodeAt(at - 1) === BACKSLASH) at -= 1
  return at > start ? end - at : end - start + earlier
}

/** Reused, because only one text is measured at a time. */
const quick = new JsonMeter()
