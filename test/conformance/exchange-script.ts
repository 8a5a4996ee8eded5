// Decides which exchange of a fixture answers a call, and keeps book of what went wrong. No sockets here.
import { isDeepStrictEqual } from 'node:util'
import type { CannedResponse, Exchange } from './fixture.ts'
import { type UpstreamCall, faultsOf, isAddressedTo, jsonBody } from './upstream-call.ts'

export interface Script {
  /** The answer to a call; undefined when nothing of the fixture expects it. */
  answer(call: UpstreamCall): CannedResponse | undefined
  /** What went wrong so far, in words. */
  readonly problems: string[]
}

/** The strict script: a step's exchanges in their order, background exchanges at any time. */
export class ExchangeScript implements Script {
  readonly problems: string[] = []
  readonly #background: { exchange: Exchange; usedBy: UpstreamCall | undefined }[]
  #exchanges: readonly Exchange[] = []
  #next = 0

  constructor(background: readonly Exchange[] = []) {
    this.#background = background.map((exchange) => ({ exchange, usedBy: undefined }))
  }

  /** Sets the exchanges that the next client call must cause. */
  beginStep(exchanges: readonly Exchange[]): void {
    this.#exchanges = exchanges
    this.#next = 0
  }

  endStep(): void {
    for (const { expect, optional } of this.#exchanges.slice(this.#next)) {
      if (!optional)
        this.problems.push(`upstream was never called: ${expect.method} ${expect.path}`)
    }
    this.beginStep([])
  }

  endBackground(): void {
    for (const { exchange, usedBy } of this.#background) {
      if (exchange.repeat || usedBy) continue
      const { method, path } = exchange.expect
      this.problems.push(`the background call never came: ${method} ${path}`)
    }
  }

  get hasOpenBackground(): boolean {
    return this.#background.some(({ exchange, usedBy }) => !exchange.repeat && !usedBy)
  }

  answer(call: UpstreamCall): CannedResponse | undefined {
    const exchange = this.#takeForeground(call)
    if (!exchange) {
      const background = this.#takeBackground(call)
      if (!background) this.#refuse(call)
      return background?.respond
    }
    for (const fault of faultsOf(call, exchange.expect)) {
      this.problems.push(`upstream ${call.method} ${call.path}: ${fault}`)
    }
    return exchange.respond
  }

  /** Optional exchanges before the addressed one are passed over. */
  #takeForeground(call: UpstreamCall): Exchange | undefined {
    for (let index = this.#next; index < this.#exchanges.length; index++) {
      const exchange = this.#exchanges[index]
      if (!exchange) return undefined
      const isMeant =
        isAddressedTo(call, exchange.expect) &&
        (!exchange.optional || faultsOf(call, exchange.expect).length === 0)
      if (isMeant) {
        this.#next = index + 1
        return exchange
      }
      if (!exchange.optional) return undefined
    }
    return undefined
  }

  #takeBackground(call: UpstreamCall): Exchange | undefined {
    const matching = this.#background.filter(
      ({ exchange }) =>
        isAddressedTo(call, exchange.expect) && faultsOf(call, exchange.expect).length === 0,
    )
    const open = matching.find(({ exchange, usedBy }) => exchange.repeat || !usedBy)
    if (open) {
      open.usedBy = call
      return open.exchange
    }
    // A poll that repeats itself gets the same answer again.
    return matching.findLast(
      ({ usedBy }) => usedBy && isDeepStrictEqual(jsonBody(usedBy), jsonBody(call)),
    )?.exchange
  }

  #refuse(call: UpstreamCall): void {
    const expected = this.#exchanges[this.#next]?.expect
    const wanted = expected ? `expected ${expected.method} ${expected.path}` : 'expected no call'
    const body = call.body.toString('utf8').slice(0, 300)
    this.problems.push(
      `unexpected upstream call ${call.method} ${call.path}, ${wanted}; body ${body}`,
    )
  }
}

/** For the check of `retryable`: answers as often as asked and counts the calls that match the last exchange. */
export class CountingScript implements Script {
  readonly problems: string[] = []
  readonly #exchanges: readonly Exchange[]
  #next = 0
  lastExchangeCalls = 0

  constructor(exchanges: readonly Exchange[]) {
    this.#exchanges = exchanges
  }

  answer(call: UpstreamCall): CannedResponse | undefined {
    const order = [...this.#exchanges.keys()]
    const rotated = [...order.slice(this.#next), ...order.slice(0, this.#next)]
    const index = rotated.find((candidate) => {
      const exchange = this.#exchanges[candidate]
      return exchange && isAddressedTo(call, exchange.expect)
    })
    if (index === undefined) return undefined
    this.#next = (index + 1) % this.#exchanges.length
    if (index === this.#exchanges.length - 1) this.lastExchangeCalls++
    return this.#exchanges[index]?.respond
  }
}
