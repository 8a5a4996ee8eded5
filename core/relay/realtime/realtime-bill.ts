// The money of a realtime session: each answer is charged as it ends, and the log gets one row with the sums.
import type { Usage } from '../../contract/neutral.ts'
import type { LogRow, PriceSnapshot, Receipt, Reservation } from '../../contract/services.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { SessionDeps } from '../call/relay-deps.ts'
import { consumeRow, announceSettled, type CallOutcome } from '../charge/settle-call.ts'
import { isUsed } from '../../billing/consume-text.ts'
import { noUsage } from '../../dialects/neutral/usage.ts'
import { SerialQueue } from '../../kernel/serial-queue.ts'
import { differenceOf, sumOf } from './session-usage.ts'

export class RealtimeBill {
  readonly #call: RelayCall
  readonly #attempt: Attempt
  readonly #deps: SessionDeps
  /** The units to reserve before each answer. */
  #stepUnits: number
  /** The call's, with those of the models to which the session delegates work. */
  #price: PriceSnapshot
  #reservation: Reservation | undefined
  #used: Usage = noUsage
  #charged = 0
  /** How much of usage and charge is in log rows that another node wrote, because it took this one for dead. */
  #logged: Charged = nothing
  #rejoins: number
  #isClosed = false
  /** Frames, time and delegation charge and reserve one after another. */
  readonly #turns = new SerialQueue()

  /** Takes over the reservation of the call. */
  constructor(call: RelayCall, attempt: Attempt, deps: SessionDeps, delegate?: Delegate) {
    this.#call = call
    this.#attempt = attempt
    this.#deps = deps
    this.#price = call.price
    this.#reservation = call.reservation
    this.#rejoins = deps.sessionCharges.rejoins
    // A fixed price covers the whole session, and was reserved in full at the start.
    this.#stepUnits = call.price.mode === 'price' ? 0 : call.reservation.units
    if (delegate) this.#add(delegate)
  }

  /** Holds what an answer of the model may cost, also where the session itself is free or has a fixed price.
   *  @throws quota.insufficient, quota.token_insufficient */
  delegateTo(delegate: Delegate): Promise<void> {
    return this.#turns.run(async () => {
      if (this.#reservation) await holdAnswer(delegate, this.#reservation, this.#deps)
      this.#add(delegate)
    })
  }

  /** The first price of a model holds to the end, as that of the session does. */
  #add(delegate: Delegate): void {
    const { name, price } = delegate
    this.#stepUnits = Math.max(this.#stepUnits, answerUnits(delegate, this.#deps))
    const { delegates } = this.#price
    if (!delegates?.has(name))
      this.#price = { ...this.#price, delegates: new Map(delegates).set(name, price) }
  }

  /** Raises the reservation if the running answer costs more.
   *  @throws quota.insufficient, quota.token_insufficient */
  hold(running: () => Usage): Promise<void> | undefined {
    if (this.#missing(running()) <= 0) return undefined
    return this.#turns.run(async () => {
      const missing = this.#missing(running())
      if (this.#reservation && missing > 0)
        await this.#deps.ledger.extend(this.#reservation, missing)
    })
  }

  #missing(running: Usage): number {
    return this.#reservation ? this.#due(running) - this.#reservation.units : 0
  }

  /** Charges an answer; resolves when committed, under strict durability. */
  charge(usage: Usage): Promise<void> {
    return this.#turns.run(() => this.#charge(usage))
  }

  async #charge(usage: Usage): Promise<void> {
    // The next step may have been refused, but what was delivered before is charged.
    const held = this.#reservation ?? (await this.#reserve(0))
    const units = this.#due(usage)
    const before = { used: this.#used, units: this.#charged }
    this.#used = sumOf(this.#used, usage)
    this.#charged += units
    this.#reservation = undefined
    const { sessionCharges, settings, log } = this.#deps
    const charge = { units, channelId: this.#attempt.channel.id }
    const soFar = this.#rowOf(this.#outcome('gateway_stopped', 200))
    const settled = sessionCharges.settle(held, charge, soFar).then(() => this.#noteRows(before))
    if (settings.isStrict) await settled
    else
      settled.catch((error: unknown) =>
        log.error({ err: error, requestId: this.#call.requestId }, 'a settlement failed'),
      )
  }

  /** @throws quota.insufficient, quota.token_insufficient */
  reserveNext(): Promise<void> {
    return this.#turns.run(async () => {
      if (!this.#isClosed) this.#reservation ??= await this.#reserve(this.#stepUnits)
    })
  }

  #reserve(units: number): Promise<Reservation> {
    const { identity, requestId } = this.#call
    return this.#deps.ledger.reserve({
      requestId,
      userId: identity.userId,
      tokenId: identity.tokenId,
      isTokenLimited: !identity.isUnlimited,
      units,
    })
  }

  /** Releases what is reserved and writes the session's log row. */
  close(rule: string, status: number): Promise<void> {
    return this.#turns.run(() => this.#close(rule, status))
  }

  async #close(rule: string, status: number): Promise<void> {
    this.#isClosed = true
    this.#noteRows({ used: this.#used, units: this.#charged })
    const held = this.#reservation
    this.#reservation = undefined
    const { requestId } = this.#call
    const row = this.#rowOf(this.#outcome(rule, status))
    await this.#deps.sessionCharges.finish({ requestId, held }, row)
    const whole = { attempt: this.#attempt, usage: this.#used, rule, status }
    announceSettled(this.#call, whole, this.#receipt(whole, this.#charged), this.#deps)
  }

  /** Amounts in a row that another node has written are not written again. */
  #noteRows(committed: Charged): void {
    const { rejoins } = this.#deps.sessionCharges
    if (rejoins === this.#rejoins) return
    this.#rejoins = rejoins
    this.#logged = committed
  }

  #outcome(rule: string, status: number): CallOutcome {
    const usage = differenceOf(this.#used, this.#logged.used)
    return { attempt: this.#attempt, usage, rule, status }
  }

  #receipt({ usage, rule }: CallOutcome, total: number): Receipt {
    if (!isUsed(usage)) return { lines: [], total, rule }
    return { ...this.#deps.pricing.receipt(this.#price, usage, rule), total }
  }

  #rowOf(outcome: CallOutcome): LogRow | undefined {
    if (!this.#deps.options.get<boolean>('LogConsumeEnabled')) return undefined
    const receipt = this.#receipt(outcome, this.#charged - this.#logged.units)
    return consumeRow(this.#call, outcome, this.#price, receipt)
  }

  /** The price of everything used so far is rounded once, so that the charges of the answers add up to the session's receipt. Where more costs
   *  less, as above a price step that lowers the price, what was charged stays charged. */
  #due(usage: Usage): number {
    const all = sumOf(this.#used, usage)
    const { total } = this.#deps.pricing.receipt(this.#price, all, 'completed')
    return Math.max(0, total - this.#charged)
  }
}

/** A model to which a session delegates work. */
export interface Delegate {
  name: string
  price: PriceSnapshot
}

/** Raises a reservation that is less than an answer of a delegate may cost.
 *  @throws quota.insufficient, quota.token_insufficient */
export async function holdAnswer(
  delegate: Delegate,
  held: Reservation,
  deps: Pick<SessionDeps, 'pricing' | 'ledger'>,
): Promise<void> {
  const missing = answerUnits(delegate, deps) - held.units
  if (missing > 0) await deps.ledger.extend(held, missing)
}

function answerUnits({ price }: Delegate, { pricing }: Pick<SessionDeps, 'pricing'>): number {
  return pricing.estimate(price, { promptTokens: 0, maxTokens: 0 })
}

interface Charged {
  used: Usage
  units: number
}

const nothing: Charged = { used: noUsage, units: 0 }
