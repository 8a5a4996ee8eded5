// The money of a realtime session: every answer is booked as it ends, the log gets one row with the sums.
import type { Usage } from '../../contract/neutral.ts'
import type { Receipt, Reservation } from '../../contract/services.ts'
import type { Attempt } from '../call/attempt.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { AnswerDeps } from '../call/relay-deps.ts'
import { consumeRow, tellSettled, type CallOutcome } from '../call/settle-call.ts'
import { noUsage } from '../../dialects/neutral/usage.ts'

export class RealtimeBill {
  readonly #call: RelayCall
  readonly #attempt: Attempt
  readonly #deps: AnswerDeps
  /** Reserved before each answer. */
  readonly #stepUnits: number
  #reservation: Reservation | undefined
  #used: Usage = noUsage
  #charged = 0

  /** Takes over the call's reservation. */
  constructor(call: RelayCall, attempt: Attempt, deps: AnswerDeps) {
    this.#call = call
    this.#attempt = attempt
    this.#deps = deps
    this.#reservation = call.reservation
    // A fixed price is that of the session: it was reserved whole at the start.
    this.#stepUnits = call.price.mode === 'price' ? 0 : call.reservation.units
  }

  /** Raises the reservation where the running answer costs more.
   *  @throws quota.insufficient, quota.token_insufficient */
  hold(running: Usage): Promise<unknown> | undefined {
    const held = this.#reservation
    const missing = held ? this.#due(running) - held.units : 0
    return held && missing > 0 ? this.#deps.ledger.extend(held, missing) : undefined
  }

  /** Books an answer; resolves when committed, under strict durability. */
  async charge(usage: Usage): Promise<void> {
    const held = this.#reservation
    if (!held) throw new Error('a realtime session has nothing reserved')
    const units = this.#due(usage)
    this.#used = sumOf(this.#used, usage)
    this.#charged += units
    this.#reservation = undefined
    const { ledger, settings, log } = this.#deps
    const settled = ledger.settle(held, { units, channelId: this.#attempt.channel.id })
    if (settings.isStrict) await settled
    else
      settled.catch((error: unknown) =>
        log.error({ err: error, requestId: this.#call.requestId }, 'a settlement failed'),
      )
  }

  /** @throws quota.insufficient, quota.token_insufficient */
  async reserveNext(): Promise<void> {
    if (this.#reservation) return
    const { identity, requestId } = this.#call
    this.#reservation = await this.#deps.ledger.reserve({
      requestId,
      userId: identity.userId,
      tokenId: identity.tokenId,
      isTokenLimited: !identity.isUnlimited,
      units: this.#stepUnits,
    })
  }

  /** Gives back what is reserved and writes the session's row. */
  async close(rule: string, status: number): Promise<void> {
    const { deps, outcome, receipt } = this.#closing(rule, status)
    const row = deps.options.get<boolean>('LogConsumeEnabled')
      ? consumeRow(this.#call, outcome, this.#call.price, receipt)
      : undefined
    const held = this.#reservation
    this.#reservation = undefined
    if (held) await deps.ledger.release(held, row)
    else if (row) deps.logs.write(row)
    tellSettled(this.#call, outcome, receipt, deps)
  }

  #closing(rule: string, status: number) {
    const outcome: CallOutcome = { attempt: this.#attempt, usage: this.#used, rule, status }
    const isEmpty = this.#used.input + this.#used.output === 0
    const receipt: Receipt = isEmpty
      ? { lines: [], total: 0, rule }
      : this.#deps.pricing.receipt(this.#call.price, this.#used, rule)
    return { deps: this.#deps, outcome, receipt: { ...receipt, total: this.#charged } }
  }

  /** The price of all that was used is rounded once, so that the answers add up to the session's receipt. */
  #due(usage: Usage): number {
    const all = sumOf(this.#used, usage)
    return this.#deps.pricing.receipt(this.#call.price, all, 'completed').total - this.#charged
  }
}

function sumOf(left: Usage, right: Usage): Usage {
  const isEstimated = left.isEstimated || right.isEstimated
  return {
    input: left.input + right.input,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite5m: left.cacheWrite5m + right.cacheWrite5m,
    cacheWrite1h: left.cacheWrite1h + right.cacheWrite1h,
    inputAudio: left.inputAudio + right.inputAudio,
    inputImage: left.inputImage + right.inputImage,
    output: left.output + right.output,
    reasoning: left.reasoning + right.reasoning,
    outputAudio: left.outputAudio + right.outputAudio,
    outputImage: left.outputImage + right.outputImage,
    ...(isEstimated ? { isEstimated } : {}),
  }
}
