// Counts tokens of texts for which the upstream reported no usage. The tables of an encoding need 70 MB and 200 ms to
// load, so the first count loads them. Reservations use estimate-tokens.ts instead.
import { createRequire } from 'node:module'
import type { ChatEvent } from '../../contract/neutral.ts'
import { DRAWN_IMAGE_TOKENS } from './drawn-tokens.ts'

const require = createRequire(import.meta.url)

type Encoding = 'o200k_base' | 'cl100k_base'

/** Merging is quadratic in the length of a word, so longer runs of one kind of character are cut. No word has 128 letters. */
const RUN_LIMIT = 128
/** Longer texts are counted by 16 samples, which have this size together. */
const SAMPLED_ABOVE_CHARS = 64_000
const SAMPLES = 16
const SAMPLE_CHARS = SAMPLED_ABOVE_CHARS / SAMPLES
/** A counter keeps this many characters before it counts. Most streams end below it with usage from the upstream, so
 *  their text is never counted. */
const PENDING_CHARS = 128_000
/** A string built by appending keeps all of its parts in memory, which takes ten times the text. Pieces are therefore
 *  joined by the thousand. */
const JOINED_CHARS = 2_048
/** Words that an encoding caches. The library's default of 100 000 takes more memory than counting is worth. */
const WORDS_KEPT = 10_000

const encoders = new Map<Encoding, (text: string) => number>()

/** Tokens of a text in the encoding of the model; estimated for texts above 64 000 characters. */
export function countTokens(text: string, model: string): number {
  if (text === '') return 0
  const count = encoderOf(model)
  if (text.length <= SAMPLED_ABOVE_CHARS) return countPieces(text, count)
  const step = (text.length - SAMPLE_CHARS) / (SAMPLES - 1)
  let sampled = 0
  for (let index = 0; index < SAMPLES; index++) {
    const start = Math.floor(index * step)
    sampled += countPieces(text.slice(start, start + SAMPLE_CHARS), count)
  }
  return Math.ceil((sampled * text.length) / SAMPLED_ABOVE_CHARS)
}

/** Counts the tokens of an answer while it streams, in bounded memory. */
export class TokenCounter {
  readonly #model: string
  /** Pieces that were joined, followed by those that were not joined yet. */
  #pending: string[] = []
  #pieces: string[] = []
  #piecesChars = 0
  #pendingChars = 0
  #counted = 0
  #drawn = 0
  /** Characters of text so far. */
  chars = 0

  constructor(model: string) {
    this.#model = model
  }

  add(text: string): void {
    this.chars += text.length
    this.#pieces.push(text)
    this.#piecesChars += text.length
    if (this.#piecesChars < JOINED_CHARS) return
    this.#joinPieces()
    if (this.#pendingChars >= PENDING_CHARS) this.#count()
  }

  #joinPieces(): void {
    this.#pending.push(this.#pieces.join(''))
    this.#pendingChars += this.#piecesChars
    this.#pieces = []
    this.#piecesChars = 0
  }

  addEvent(event: ChatEvent): void {
    if (event.type === 'text' || event.type === 'reasoning' || event.type === 'refusal') {
      this.add(event.delta)
    } else if (event.type === 'tool_args') {
      this.add(event.delta)
    } else if (event.type === 'tool_start') {
      this.add(event.name)
    } else if (event.type === 'image') {
      this.#drawn += DRAWN_IMAGE_TOKENS
    }
  }

  get isEmpty(): boolean {
    return this.#drawn === 0 && this.chars === 0
  }

  total(): number {
    return this.#drawn + this.textTotal()
  }

  /** Tokens of text, without drawn pictures. */
  textTotal(): number {
    this.#count()
    return this.#counted
  }

  #count(): void {
    this.#joinPieces()
    this.#counted += countTokens(this.#pending.join(''), this.#model)
    this.#pending = []
    this.#pendingChars = 0
  }
}

function countPieces(text: string, count: (text: string) => number): number {
  let total = 0
  let start = 0
  for (const end of cutPoints(text)) {
    total += count(text.slice(start, end))
    start = end
  }
  return total + count(start === 0 ? text : text.slice(start))
}

/** The positions where a run of one kind of character reaches the limit. */
function cutPoints(text: string): number[] {
  const cuts: number[] = []
  let kind = -1
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const next = kindOf(code)
    if (next !== kind) {
      kind = next
      length = 1
    } else if (++length > RUN_LIMIT && !isLowSurrogate(code)) {
      cuts.push(index)
      length = 1
    }
  }
  return cuts
}

/** 0 space, 1 letter (and everything beyond ASCII), 2 digit, 3 other: roughly the classes at which encodings split words. */
function kindOf(code: number): number {
  if (code <= 32) return 0
  if (code >= 128 || (code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return 1
  return code >= 48 && code <= 57 ? 2 : 3
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

function encoderOf(model: string): (text: string) => number {
  const encoding = encodingOf(model)
  const known = encoders.get(encoding)
  if (known) return known
  const library = require(
    `gpt-tokenizer/encoding/${encoding}`,
  ) as typeof import('gpt-tokenizer/encoding/o200k_base')
  library.setMergeCacheSize(WORDS_KEPT)
  // Special marks such as <|endoftext|> are ordinary text in a prompt; by default the library throws on them.
  const asText = { disallowedSpecial: new Set<string>() }
  const count = (text: string) => library.countTokens(text, asText)
  encoders.set(encoding, count)
  return count
}

/** OpenAI's older models use cl100k. All other models are counted with o200k. */
function encodingOf(model: string): Encoding {
  return /^(?:ft:)?gpt-(?:3\.5|4(?:$|[-:]))|^text-(?:embedding|moderation|davinci|curie|babbage|ada)|^(?:davinci|babbage)-00/.test(
    model,
  )
    ? 'cl100k_base'
    : 'o200k_base'
}
