// Calculates a charge from usage. Every line is count × unit price in exact decimals; the sum is rounded once, half
// away from zero.
import type { Usage } from '../../contract/neutral.ts'
import { errorType } from '../../contract/errors.ts'
import type { PriceStep } from '../../contract/prices.ts'
import type { PriceSnapshot, Receipt, ReceiptLine } from '../../contract/services.ts'
import { add, type Exact, exact, exactText, multiply, roundHalfAway } from '../decimal.ts'
import { stepOf } from './price-steps.ts'
import { toolPriceOf } from './tool-prices.ts'

/** A one-hour cache write costs 1.6 times a five-minute one. */
export const hourWriteFactor = exact(1.6)
/** OpenAI's writes for twelve hours cost twice its usual ones, those for thirty minutes (docs/price-sources.md). */
export const halfDayWriteFactor = exact(2)
const perThousand: Exact = { digits: 1n, scale: 3 }
const zero: Exact = { digits: 0n, scale: 0 }

const overflow = errorType('price.overflow', 500, {
  en: 'The charge of this call is too large to be booked.',
  zh: '本次调用的费用过大，无法入账。',
})

type TokenPart =
  | 'input'
  | 'cache_read'
  | 'cache_write_5m'
  | 'cache_write_1h'
  | 'cache_write_12h'
  | 'input_audio'
  | 'input_image'
  | 'output'
  | 'output_audio'
  | 'output_image'

type UnitPrices = Readonly<Record<TokenPart, { price: Exact; text: string }>>

/** Snapshots are frozen and shared by all requests for one model and group, so their unit prices are calculated once. */
const unitPricesOf = new WeakMap<PriceSnapshot, Map<PriceStep | undefined, UnitPrices>>()

/** @throws price.overflow past 2^53 */
export function writeReceipt(price: PriceSnapshot, usage: Usage, rule: string): Receipt {
  const bill = new Bill()
  const step = stepOf(price, countOf(usage.longestPrompt ?? usage.input))
  if (price.mode === 'price') {
    const perCall = callPrice(price)
    bill.charge('call', 1, perCall, exactText(perCall))
  } else {
    const units = unitPrices(price, step)
    for (const [part, count] of tokenCounts(price, usage)) {
      bill.charge(part, count, units[part].price, units[part].text)
    }
  }
  chargeTools(bill, price, chargeDrawn(bill, price, usage))
  chargeSvg(bill, price, usage)
  chargeDelegated(bill, price, usage)
  // A call that used something with a price above zero costs at least one unit.
  const own = price.mode === 'price' ? price.modelPrice * price.factor : price.modelRatio
  const isFree = own === 0 || price.groupRatio === 0 || price.share === 0
  const least = isFree || bill.lines.length === 0 ? 0n : 1n
  return { lines: bill.lines, total: bill.total(least), ...(step ? { step } : {}), rule }
}

const whole = exact(1)

function shareOf({ share }: PriceSnapshot): Exact {
  return share === undefined ? whole : exact(share)
}

/** Quota units of one call at a fixed price. */
export function callPrice(price: PriceSnapshot): Exact {
  return multiply(
    exact(price.modelPrice),
    exact(price.quotaPerUnit),
    exact(price.groupRatio),
    exact(price.factor),
    shareOf(price),
  )
}

/** @throws price.overflow past 2^53 */
export function toUnits(units: bigint): number {
  if (units > BigInt(Number.MAX_SAFE_INTEGER)) throw overflow()
  return Number(units)
}

/** A count as reported by an upstream: anything but a positive number is 0. */
export function countOf(value: number | undefined): number {
  return value !== undefined && value > 0 && Number.isFinite(value) ? Math.trunc(value) : 0
}

class Bill {
  readonly lines: ReceiptLine[] = []
  #sum: Exact = zero

  charge(part: string, count: number, price: Exact, priceText: string): void {
    if (count === 0) return
    const amount = { digits: price.digits * BigInt(count), scale: price.scale }
    this.#sum = add(this.#sum, amount)
    this.lines.push({ part, count, unit_price: priceText, amount: exactText(amount) })
  }

  total(least: bigint): number {
    const rounded = roundHalfAway(this.#sum)
    return toUnits(rounded < least ? least : rounded)
  }
}

/** `usage.input` includes cache, audio and images, and `usage.output` audio and images. Parts with a price of their own
 *  are subtracted. Chat usage counts cached audio and images in both places without saying how much of them was cached,
 *  so they are limited to what the cache leaves of the prompt. */
function tokenCounts(price: PriceSnapshot, usage: Usage): [TokenPart, number][] {
  const cacheRead = countOf(usage.cacheRead)
  const write5m = countOf(usage.cacheWrite5m)
  const write1h = countOf(usage.cacheWrite1h)
  const write12h = Math.min(write5m, countOf(usage.cacheWrite12h))
  const uncached = Math.max(0, countOf(usage.input) - cacheRead - write5m - write1h)
  const inputAudio = price.hasAudioRatio ? Math.min(uncached, countOf(usage.inputAudio)) : 0
  const inputImage = price.hasImageRatio
    ? Math.min(uncached - inputAudio, countOf(usage.inputImage))
    : 0
  const outputAudio = price.hasAudioRatio ? countOf(usage.outputAudio) : 0
  const hasImageOutput = price.imageCompletionRatio !== price.completionRatio
  const outputImage = hasImageOutput ? countOf(usage.outputImage) : 0
  return [
    ['input', uncached - inputAudio - inputImage],
    ['cache_read', cacheRead],
    ['cache_write_5m', write5m - write12h],
    ['cache_write_1h', write1h],
    ['cache_write_12h', write12h],
    ['input_audio', inputAudio],
    ['input_image', inputImage],
    ['output', Math.max(0, countOf(usage.output) - outputAudio - outputImage)],
    ['output_audio', outputAudio],
    ['output_image', outputImage],
  ]
}

/** What one token of each part costs, in units. */
export function unitPrices(price: PriceSnapshot, step: PriceStep | undefined): UnitPrices {
  const ofSteps = unitPricesOf.get(price) ?? new Map<PriceStep | undefined, UnitPrices>()
  const known = ofSteps.get(step)
  if (known) return known
  const made = unitPricesAt(price, step ?? noStep)
  unitPricesOf.set(price, ofSteps.set(step, made))
  return made
}

const noStep: PriceStep = { above: 0, input: 1, output: 1 }

function unitPricesAt(
  price: PriceSnapshot,
  { input, output, cacheRead = input }: PriceStep,
): UnitPrices {
  const base = multiply(exact(price.modelRatio), exact(price.groupRatio), shareOf(price))
  const times = (...ratios: (number | Exact)[]) => {
    const unit = multiply(base, ...ratios.map((r) => (typeof r === 'number' ? exact(r) : r)))
    return { price: unit, text: exactText(unit) }
  }
  return {
    input: times(input),
    cache_read: times(price.cacheRatio, cacheRead),
    cache_write_5m: times(price.createCacheRatio, input),
    cache_write_1h: times(price.createCacheRatio, hourWriteFactor, input),
    cache_write_12h: times(price.createCacheRatio, halfDayWriteFactor, input),
    input_audio: times(price.audioRatio, input),
    input_image: times(price.imageRatio, input),
    output: times(price.completionRatio, output),
    output_audio: times(price.audioRatio, price.audioCompletionRatio, output),
    output_image: times(price.imageCompletionRatio, output),
  }
}

/** Pictures that a tool drew, by their tokens.
 *  @returns the runs of tools that are not paid for yet */
function chargeDrawn(
  bill: Bill,
  { drawing, share }: PriceSnapshot,
  { drawn, toolCalls = {} }: Usage,
): Readonly<Record<string, number>> {
  if (!drawn || drawing?.mode !== 'ratio') return toolCalls
  const price = share === undefined ? drawing : { ...drawing, share }
  const units = unitPrices(price, undefined)
  for (const [part, count] of tokenCounts(price, drawn))
    bill.charge(`image_generation:${part}`, count, units[part].price, units[part].text)
  const others = Object.entries(toolCalls).filter(([tool]) => !tool.startsWith('image_generation'))
  return Object.fromEntries(others)
}

function chargeSvg(bill: Bill, { svg: author, share }: PriceSnapshot, { svg }: Usage): void {
  if (!svg || author?.mode !== 'ratio') return
  const price = share === undefined ? author : { ...author, share }
  const { input, output } = unitPrices(price, undefined)
  bill.charge('svg:input', countOf(svg.input), input.price, input.text)
  bill.charge('svg:output', countOf(svg.output), output.price, output.text)
}

function chargeDelegated(
  bill: Bill,
  { delegates }: PriceSnapshot,
  { delegated = [] }: Usage,
): void {
  for (const { model, calls, usage } of delegated) {
    const price = delegates?.get(model)
    if (!price) continue
    const nameOf = (part: string) => `delegated:${part}@${model}`
    if (price.mode === 'price') {
      const perCall = callPrice(price)
      bill.charge(nameOf('call'), countOf(calls), perCall, exactText(perCall))
    } else {
      const units = unitPrices(price, stepOf(price, countOf(usage.longestPrompt ?? usage.input)))
      for (const [part, count] of tokenCounts(price, usage))
        bill.charge(nameOf(part), count, units[part].price, units[part].text)
    }
    chargeTools(bill, price, usage.toolCalls ?? {}, nameOf)
  }
}

function chargeTools(
  bill: Bill,
  price: PriceSnapshot,
  runs: Readonly<Record<string, number>>,
  nameOf = (part: string) => part,
): void {
  for (const [tool, calls] of Object.entries(runs)) {
    const perThousandCalls = toolPriceOf(price.toolPrices, tool)
    if (perThousandCalls === undefined) continue
    const perCall = multiply(
      exact(perThousandCalls),
      perThousand,
      exact(price.groupRatio),
      exact(price.quotaPerUnit),
      shareOf(price),
    )
    bill.charge(nameOf(`tool:${tool}`), countOf(calls), perCall, exactText(perCall))
  }
}
