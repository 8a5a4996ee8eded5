// Takes the value out of the object in which it was requested (object-root.ts), while the text arrives.
import type { AnswerHints } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { boundedJson } from '../../wire/bounded-json.ts'

/** The one property of the object. */
export const WRAPPED = 'value'

const HEAD = /^\s*\{\s*"value"\s*:\s*/
/** A text that does not begin like the object within this length never will. */
const HEAD_LENGTH = 64
/** The end of the object is shorter; longer ends are not examined. */
const LONGEST_TAIL = 256

interface Opened {
  state: 'head' | 'inside' | 'other'
  /** Text before the value, or after the part of it that was passed on. */
  held: string
}

/** Edits the events of one answer. */
export class AnswerUnwrapper {
  readonly #isPlain: boolean
  readonly #choices = new Map<number, Opened>()

  constructor({ isPlain }: NonNullable<AnswerHints['wrapped']>) {
    this.#isPlain = isPlain
  }

  edit(events: readonly ChatEvent[]): ChatEvent[] {
    return events.flatMap((event) => this.#one(event))
  }

  /** Text that was still held back when the upstream ended. */
  end(): ChatEvent[] {
    return [...this.#choices.keys()].flatMap((choice) => this.#release(choice))
  }

  #one(event: ChatEvent): ChatEvent[] {
    if (event.type === 'finish') return [...this.#release(event.choice ?? 0), event]
    if (event.type !== 'text') return [event]
    const delta = this.#shown(this.#openedFor(event.choice ?? 0), event.delta)
    const isNothing = delta === '' && event.state === undefined && event.logprobs === undefined
    return isNothing ? [] : [{ ...event, delta }]
  }

  #openedFor(choice: number): Opened {
    let opened = this.#choices.get(choice)
    if (opened === undefined) this.#choices.set(choice, (opened = { state: 'head', held: '' }))
    return opened
  }

  #shown(opened: Opened, delta: string): string {
    if (opened.state === 'other') return delta
    const text = opened.held + delta
    if (opened.state === 'head') {
      const head = HEAD.exec(text)
      if (head === null) {
        // Blanks before the object say nothing, and a model that has lost its way writes them without end.
        opened.held = text.trimStart()
        if (opened.held.length < HEAD_LENGTH) return ''
        opened.state = 'other'
        opened.held = ''
        return text
      }
      opened.state = 'inside'
      return this.#inside(opened, text.slice(head[0].length))
    }
    return this.#inside(opened, text)
  }

  /** A single word is passed on without its quotes, once it is complete. */
  #inside(opened: Opened, text: string): string {
    if (this.#isPlain) {
      opened.held = text
      return ''
    }
    const kept = tailLength(text)
    opened.held = kept === 0 ? '' : text.slice(-kept)
    return kept === 0 ? text : text.slice(0, -kept)
  }

  #release(choice: number): ChatEvent[] {
    const opened = this.#choices.get(choice)
    if (opened === undefined || opened.held === '') return []
    const { state, held } = opened
    opened.held = ''
    const rest = state === 'inside' ? withoutClosing(held) : held
    const delta = this.#isPlain ? plainText(rest) : rest
    return delta === '' ? [] : [{ type: 'text', delta, ...(choice === 0 ? {} : { choice }) }]
  }
}

/** How many characters at the end may belong to the end of the object. */
function tailLength(text: string): number {
  const least = Math.max(0, text.length - LONGEST_TAIL)
  let start = text.length
  while (start > least && (text[start - 1] === '}' || text[start - 1]?.trim() === '')) start -= 1
  return text.length - start
}

function withoutClosing(text: string): string {
  const whole = text.trimEnd()
  return whole.endsWith('}') ? whole.slice(0, -1).trimEnd() : text
}

function plainText(json: string): string {
  try {
    const value = boundedJson(json)
    return typeof value === 'string' ? value : json
  } catch {
    return json
  }
}
