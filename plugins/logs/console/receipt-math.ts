import type { LogFacts, ReceiptLine } from './log-row.ts'

/** One factor of a unit price; its label is the text `factor.<name>`. */
export interface Factor {
  name: string
  value: number
}

const hourWriteFactor = 1.6
const halfDayWriteFactor = 2

/** The factors whose product is the unit price of a part; undefined if the row does not have all of them, or the units of a dollar are
 *  others now. */
export function factorsOf(
  { part, unit_price }: Pick<ReceiptLine, 'part' | 'unit_price'>,
  facts: LogFacts,
  quotaPerUnit: number,
): Factor[] | undefined {
  const own = ownFactors(part, facts, quotaPerUnit)
  const group = { name: 'group', value: facts.group_ratio }
  const factors = own && complete([...own, group, ...shareOf(facts)])
  return factors && isProduct(factors, Number(unit_price)) ? factors : undefined
}

type Loose = { name: string; value: number | undefined }

function ownFactors(part: string, facts: LogFacts, quotaPerUnit: number): Loose[] | undefined {
  const unit = { name: 'unit', value: quotaPerUnit }
  if (part === 'call')
    return [{ name: 'price', value: facts.model_price }, unit, ...picturesOf(facts)]
  if (part.startsWith('tool:'))
    return [{ name: 'perThousand', value: toolPrice(part, facts) }, unit]
  const ofTokens = tokenFactors(part, facts)
  const model = { name: 'model', value: facts.model_ratio }
  return ofTokens && [model, ...ofTokens, ...stepOf(part, facts)]
}

function picturesOf({ price_factor: value }: LogFacts): Loose[] {
  return value === undefined ? [] : [{ name: 'pictures', value }]
}

/** What an answer from a response cache costs of the price. */
function shareOf({ response_cache: cache }: LogFacts): Loose[] {
  return cache ? [{ name: 'share', value: cache.share }] : []
}

/** As numbers: their rounding differs from the exact price by less than one in a thousand million. */
function isProduct(factors: readonly Factor[], price: number): boolean {
  const product = factors.reduce(
    (all, { name, value }) => all * (name === 'perThousand' ? value / 1000 : value),
    1,
  )
  return Math.abs(product - price) <= Math.abs(price) * 1e-9
}

function tokenFactors(part: string, facts: LogFacts): Loose[] | undefined {
  const audio = { name: 'audio', value: facts.audio_ratio }
  const table: Record<string, Loose[]> = {
    input: [],
    output: [{ name: 'completion', value: facts.completion_ratio }],
    cache_read: [{ name: 'cache', value: facts.cache_ratio }],
    cache_write_5m: [{ name: 'cacheWrite', value: facts.cache_creation_ratio }],
    cache_write_1h: [{ name: 'cacheWrite', value: hourRatio(facts) }],
    cache_write_12h: [{ name: 'cacheWrite', value: halfDayRatio(facts) }],
    input_audio: [audio],
    output_audio: [audio, { name: 'audioCompletion', value: facts.audio_completion_ratio }],
    input_image: [{ name: 'image', value: facts.image_ratio }],
  }
  return Object.hasOwn(table, part) ? table[part] : undefined
}

/** The factor for prompts that are longer than a step. */
function stepOf(part: string, { price_step: step }: LogFacts): Loose[] {
  if (!step) return []
  const { input, output, cache_read: cacheRead = input } = step
  const factor = part === 'cache_read' ? cacheRead : input
  return [{ name: 'step', value: part.startsWith('output') ? output : factor }]
}

function hourRatio(facts: LogFacts): number | undefined {
  if (facts.cache_creation_ratio_1h !== undefined) return facts.cache_creation_ratio_1h
  return facts.cache_creation_ratio && facts.cache_creation_ratio * hourWriteFactor
}

function halfDayRatio({ cache_creation_ratio: ratio }: LogFacts): number | undefined {
  return ratio === undefined ? undefined : ratio * halfDayWriteFactor
}

function toolPrice(part: string, facts: LogFacts): number | undefined {
  if (part.startsWith('tool:file_search')) return facts.file_search_price
  const isOnWeb = part.startsWith('tool:web_search') || part === 'tool:google_search'
  return isOnWeb ? facts.web_search_price : undefined
}

function complete(factors: readonly Loose[]): Factor[] | undefined {
  const numeric = factors.filter((factor): factor is Factor => typeof factor.value === 'number')
  return numeric.length === factors.length ? numeric : undefined
}

/** The exact sum of decimal texts. Floating point would show 0.30000000000000004. */
export function sumDecimals(texts: readonly string[]): string {
  const scale = Math.max(0, ...texts.map((text) => text.split('.')[1]?.length ?? 0))
  const sum = texts.reduce((total, text) => total + scaled(text, scale), 0n)
  const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  return `${sum < 0n ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`
}

function scaled(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return /^-?\d+$/.test(whole) && /^\d*$/.test(fraction)
    ? BigInt(whole + fraction.padEnd(scale, '0'))
    : 0n
}

/** `1234.5678` as `1,234.5678`. */
export function groupDigits(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}
