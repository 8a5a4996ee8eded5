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

/** Models serialized before the event loop gets its turn: some milliseconds of work. */
const SLICE = 200
/** How many groups' lists are cached. */
const MOST_KEPT = 20

/** Serialized price lists by group, made on request and cached until an offer or a price changes. */
export class PriceList {
  readonly #deps: PriceListDeps
  readonly #kept = new Map<string, Promise<PriceListText>>()
  #offer: Offer | undefined
  #revision = 0

  constructor(deps: PriceListDeps) {
    this.#deps = deps
  }

  /** @param group undefined for visitors */
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
      // Groups that the user may not use are not disclosed; the model itself is listed.
      const slice = models
        .slice(start, start + SLICE)
        .map(([model, groups]) => [model, groups.filter((group) => names.has(group))] as const)
      for (const row of pricing.rows(new Map(slice))) rows.push(JSON.stringify(row))
    }
    // A price changed while the list was being made, so some rows are outdated.
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
