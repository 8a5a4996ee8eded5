import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ChannelService, envelope, type PricingService } from '#core'

export interface PriceListDeps {
  channels: Pick<ChannelService, 'groupsOfModels'>
  pricing: Pick<PricingService, 'usableGroups' | 'rows' | 'revision'>
}

/** The list as it is sent. */
export interface PriceListText {
  body: Buffer
  etag: string
}

type Offer = ReadonlyMap<string, readonly string[]>
type Groups = ReturnType<PricingService['usableGroups']>

/** Models that are written before others get their turn: some milliseconds of work. */
const SLICE = 200
/** Lists of different groups that are kept. */
const MOST_KEPT = 20

/** The price list of each group that somebody asked for, written once until an offer or a price changes. */
export class PriceList {
  readonly #deps: PriceListDeps
  readonly #kept = new Map<string, Promise<PriceListText>>()
  #offer: Offer | undefined
  #revision = 0

  constructor(deps: PriceListDeps) {
    this.#deps = deps
  }

  /** @param group undefined: of a visitor */
  async of(group: string | undefined): Promise<PriceListText> {
    const { channels, pricing } = this.#deps
    const offer = await channels.groupsOfModels()
    const { revision } = pricing
    if (offer !== this.#offer || revision !== this.#revision) this.#kept.clear()
    this.#offer = offer
    this.#revision = revision
    const usable = pricing.usableGroups(group)
    const key = JSON.stringify(usable)
    const cached = this.#kept.get(key)
    if (cached) return cached
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    const text = this.#write(offer, usable, revision)
    this.#kept.set(key, text)
    text.catch(() => this.#kept.delete(key))
    return text
  }

  async #write(offer: Offer, usable: Groups, revision: number): Promise<PriceListText> {
    const { pricing } = this.#deps
    const names = new Set(usable.map(({ name }) => name))
    const rows: string[] = []
    const models = [...offer].sort(([left], [right]) => (left < right ? -1 : 1))
    for (let start = 0; start < models.length; start += SLICE) {
      if (start > 0) await nextTurn()
      // Which groups exist beside one's own is nobody's business; the model is listed all the same.
      const slice = models
        .slice(start, start + SLICE)
        .map(([model, groups]) => [model, groups.filter((group) => names.has(group))] as const)
      for (const row of pricing.rows(new Map(slice))) rows.push(JSON.stringify(row))
    }
    // A price that changed meanwhile: some rows are of before.
    if (pricing.revision !== revision) return this.#write(offer, usable, pricing.revision)
    const rest = envelope(undefined, {
      group_ratio: Object.fromEntries(usable.map(({ name, ratio }) => [name, ratio])),
      usable_group: Object.fromEntries(usable.map(({ name, desc }) => [name, desc])),
    })
    const body = Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"data":[${rows.join()}]}`)
    const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27)
    return { body, etag: `W/"${digest}"` }
  }
}
