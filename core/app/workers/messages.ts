// The messages between the supervising process and its workers, over the channel that Node opens between them.
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const said = <K extends string, P extends Record<string, TSchema>>(kind: K, properties: P) =>
  Type.Object({ kind: Type.Literal(kind), ...properties })
/** Id of a question, repeated in its answer. */
const id = Type.Integer()

const fromWorker = Type.Union([
  said('listening', { address: Type.String() }),
  said('take-port', { id }),
  said('ask-metrics', { id }),
  said('own-metrics', { id, text: Type.String() }),
  said('judge', {
    id,
    key: Type.String(),
    limit: Type.Number(),
    windowSeconds: Type.Number(),
    isCounted: Type.Boolean(),
  }),
  said('give-back', { key: Type.String(), at: Type.Optional(Type.Number()) }),
])
export type FromWorker = Static<typeof fromWorker>

const toWorker = Type.Union([
  said('serve', {}),
  said('port-free', { id, port: Type.Integer() }),
  said('tell-metrics', { id }),
  said('all-metrics', { id, text: Type.String() }),
  said('verdict', {
    id,
    isAllowed: Type.Boolean(),
    retryAfterSeconds: Type.Number(),
    at: Type.Optional(Type.Union([Type.Number(), Type.Undefined()])),
  }),
])
export type ToWorker = Static<typeof toWorker>

/** Undefined for messages that somebody else sends over the channel. */
export function readFromWorker(message: unknown): FromWorker | undefined {
  return Value.Check(fromWorker, message) ? message : undefined
}

export function readToWorker(message: unknown): ToWorker | undefined {
  return Value.Check(toWorker, message) ? message : undefined
}

/** Questions that wait for an answer. */
export class Questions<Answer> {
  readonly #open = new Map<number, (answer: Answer | undefined) => void>()
  #last = 0

  /** Undefined if no answer comes in time. */
  ask(limitMs: number, send: (id: number) => void): Promise<Answer | undefined> {
    this.#last += 1
    const number = this.#last
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.answer(number, undefined), limitMs)
      this.#open.set(number, (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
      send(number)
    })
  }

  answer(number: number, answer: Answer | undefined): void {
    const resolve = this.#open.get(number)
    this.#open.delete(number)
    resolve?.(answer)
  }
}
