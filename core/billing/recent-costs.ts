import { LRUCache } from 'lru-cache'

/** The most recent costs of calls of one account and model, or of one model. */
class Sample {
  readonly #size: number
  readonly #units: number[] = []
  #next = 0
  #percentile: number | undefined

  constructor(size: number) {
    this.#size = size
  }

  add(units: number): void {
    this.#units[this.#next] = units
    this.#next = (this.#next + 1) % this.#size
    this.#percentile = undefined
  }

  /** The cost that 95 of 100 of them did not exceed. */
  get p95(): number {
    this.#percentile ??= [...this.#units].sort((a, b) => a - b)[
      Math.ceil(this.#units.length * 0.95) - 1
    ]
    return this.#percentile ?? 0
  }
}

/** How many calls are kept. */
const accountSample = 32
const modelSample = 128
const mostAccounts = 5_000
const mostModels = 1_000

export type ReservationRule = 'estimate' | 'recent_account' | 'recent_model'

/** The recent costs of calls that set no limit for their answer, in the memory of this node. A further call of an
 *  account reserves them while others are open (docs/billing.md, "What a call reserves"). */
export class RecentCosts {
  readonly #accounts = new LRUCache<string, Sample>({ max: mostAccounts })
  readonly #models = new LRUCache<string, Sample>({ max: mostModels })

  add(userId: number, model: string, units: number): void {
    sampleOf(this.#accounts, `${userId} ${model}`, accountSample).add(units)
    sampleOf(this.#models, model, modelSample).add(units)
  }

  /** Undefined for a model that nobody has called since the start. */
  likely(userId: number, model: string): { units: number; rule: ReservationRule } | undefined {
    const account = this.#accounts.get(`${userId} ${model}`)
    if (account !== undefined) return { units: account.p95, rule: 'recent_account' }
    const others = this.#models.get(model)
    return others === undefined ? undefined : { units: others.p95, rule: 'recent_model' }
  }
}

function sampleOf(samples: LRUCache<string, Sample>, key: string, size: number): Sample {
  const known = samples.get(key)
  if (known !== undefined) return known
  const made = new Sample(size)
  samples.set(key, made)
  return made
}
