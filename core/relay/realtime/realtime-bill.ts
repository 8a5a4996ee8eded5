// The money of a realtime session: each answer is charged as it ends, and the log gets one row with the sums.
import type { Usage } from '../../contract/neutral.ts'
import type { LogRow, Receipt, Reservation } from '../../contract/services.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { SessionDeps } from '../call/relay-deps.ts'
import { consumeRow, announceSettled, type CallOutcome } from '../charge/settle-call.ts'
import { addCalls, noUsage } from '../../dialects/neutral/usage.ts'

export class RealtimeBill {
  readonly #call: RelayCall
  readonly #attempt: Attempt
  readonly #deps: SessionDeps
  /** The units to reserve before each answer. */
  readonly #stepUnits: number
  #reservation: Reservation | undefined
  #used: Usage = noUsage
  #charged = 0
  /** How much of usage and charge is in log rows that another node wrote, because it took this one for dead. */
  #logged: Charged = nothing
  #rejoins: number

  /** Takes over the reservation of the call. */
  constructor(call: RelayCall, attempt: Attempt, deps: SessionDeps) {
    this.#call = call
    this.#attempt = attempt
    this.#deps = deps
    this.#reservation = call.reservation
    this.#rejoins = deps.sessionCharges.rejoins
    // A fixed price covers the whole session, and was reserved in full at the start.
    this.#stepUnits = call.price.mode === 'price' ? 0 : call.reservation.units
  }

  /** Raises the reservation if the running answer costs more.
   *  @throws quota.insufficient, quota.token_insufficient */
  hold(running: Usage): Promise<unknown> | undefined {
    const held = this.#reservation
    const missing = held ? this.#due(running) - held.units : 0
    return held && missing > 0 ? this.#deps.ledger.extend(held, missing) : undefined
  }

  /** Charges an answer; resolves when committed, under strict durability. */
  async charge(usage: Usage): Promise<void> {
    const held = this.#reservation
    if (!held) throw new Error('a realtime session has nothing reserved')
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

  /** Releases what is reserved and writes the session's log row. */
  async close(rule: string, status: number): Promise<void> {
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
    const isEmpty = usage.input + usage.output === 0 && !usage.toolCalls
    const receipt: Receipt = isEmpty
      ? { lines: [], total: 0, rule }
      : this.#deps.pricing.receipt(this.#call.price, usage, rule)
    return { ...receipt, total }
  }

  #rowOf(outcome: CallOutcome): LogRow | undefined {
    if (!this.#deps.options.get<boolean>('LogConsumeEnabled')) return undefined
    const receipt = this.#receipt(outcome, this.#charged - this.#logged.units)
    return consumeRow(this.#call, outcome, this.#call.price, receipt)
  }

  /** The price of everything used so far is rounded once, so that the charges of the answers add up to the session's receipt. Where more costs
   *  less, as above a price step that lowers the price, what was charged stays charged. */
  #due(usage: Usage): number {
    const all = sumOf(this.#used, usage)
    const { total } = this.#deps.pricing.receipt(this.#call.price, all, 'completed')
    return Math.max(0, total - this.#charged)
  }
}

interface Charged {
  used: Usage
  units: number
}

const nothing: Charged = { used: noUsage, units: 0 }

function differenceOf(all: Usage, part: Usage): Usage {
  if (part === noUsage) return all
  const counts = Object.entries(all).map(([name, count]) => [
    name,
    typeof count === 'number' && name !== 'longestPrompt'
      ? count - Number(part[name as keyof Usage] ?? 0)
      : count,
  ])
  const difference = Object.fromEntries(counts) as Usage
  if (!part.toolCalls) return difference
  const taken = Object.entries(part.toolCalls).map(([tool, count]) => [tool, -count])
  const toolCalls = addCalls(all.toolCalls, Object.fromEntries(taken) as Record<string, number>)
  return toolCalls ? { ...difference, toolCalls } : difference
}

function promptOf({ longestPrompt, input }: Usage): number {
  return longestPrompt ?? input
}

function sumOf(left: Usage, right: Usage): Usage {
  const isEstimated = left.isEstimated || right.isEstimated
  const toolCalls = addCalls(left.toolCalls, right.toolCalls)
  return {
    input: left.input + right.input,
    longestPrompt: Math.max(promptOf(left), promptOf(right)),
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
    ...(toolCalls ? { toolCalls } : {}),
  }
}
