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
type OfferedModel = readonly [model: string, groups: readonly string[]]
type Groups = ReturnType<PricingService['usableGroups']>

/** Models that are written before the event loop gets its turn, and their groups: some milliseconds of work. */
const SLICE = { models: 200, groups: 10_000 }
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
    const text = new HashedText()
    const rest = envelope(undefined, {
      group_ratio: Object.fromEntries(usable.map(({ name, ratio }) => [name, ratio])),
      usable_group: Object.fromEntries(usable.map(({ name, desc }) => [name, desc])),
    })
    text.add(`${JSON.stringify(rest).slice(0, -1)},"data":[`)
    const models = [...offer].sort(([left], [right]) => (left < right ? -1 : 1))
    let separator = ''
    for (const slice of slicesOf(models)) {
      // Groups that the user may not use are not disclosed; the model itself is listed.
      const shown = slice.map(
        ([model, groups]) => [model, groups.filter((group) => names.has(group))] as const,
      )
      for (const row of pricing.rows(new Map(shown))) {
        text.add(separator + JSON.stringify(row))
        separator = ','
      }
      await nextTurn()
    }
    // A price changed while the list was being made, so some rows are outdated.
    if (pricing.revision !== revision) return this.#write(offer, usable, pricing.revision)
    text.add(']}')
    return text.end()
  }
}

function* slicesOf(models: readonly OfferedModel[]): Generator<OfferedModel[]> {
  let slice: OfferedModel[] = []
  let named = 0
  for (const model of models) {
    slice.push(model)
    named += model[1].length
    if (slice.length < SLICE.models && named < SLICE.groups) continue
    yield slice
    slice = []
    named = 0
  }
  if (slice.length > 0) yield slice
}

/** Bytes and digest are made piece by piece: of the nine megabytes of 2 500 models in 300 groups, both would hold the event loop for longer
 *  than calls may wait. */
class HashedText {
  readonly #pieces: Buffer[] = []
  readonly #digest = createHash('sha256')

  add(text: string): void {
    const piece = Buffer.from(text)
    this.#digest.update(piece)
    this.#pieces.push(piece)
  }

  end(): PriceListText {
    const digest = this.#digest.digest('base64url').slice(0, 27)
    return { body: Buffer.concat(this.#pieces), etag: `W/"${digest}"` }
  }
}
