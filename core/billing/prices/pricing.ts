import type { JsonObject } from '../../contract/json.ts'
import type { OptionService } from '../../contract/options.ts'
import type { PriceStep } from '../../contract/prices.ts'
import type { Logger, PriceSnapshot, PricingService } from '../../contract/services.ts'
import { estimateUnits } from './estimate.ts'
import {
  familyRatios,
  priceOptionOf,
  type PricedAdapter,
  stepOption,
  taskPrices,
} from './default-prices.ts'
import { groupNamesOf, usableGroupsOf } from './groups.ts'
import { PriceMap } from './price-map.ts'
import {
  findPrice,
  type PriceBook,
  ratiosOf,
  type RatioMaps,
  stepsOf,
  takeSnapshot,
} from './price.ts'
import { priceRow } from './price-row.ts'
import { writeReceipt } from './receipt.ts'

type NumberMap = Record<string, number>
type StepTable = Record<string, readonly PriceStep[]>
type PriceOptions = Pick<OptionService, 'get' | 'onChange' | 'schemaOf'>

/** More than the models and groups of any installation. Above this, the cache starts anew. */
const SNAPSHOTS_KEPT = 10_000

const ratioOptions: Readonly<Record<keyof RatioMaps, string>> = {
  completion: priceOptionOf.completion,
  cacheRead: priceOptionOf.cacheRead,
  cacheWrite: priceOptionOf.cacheWrite,
  image: priceOptionOf.image,
  imageCompletion: priceOptionOf.imageCompletion,
  audio: priceOptionOf.audio,
  audioCompletion: priceOptionOf.audioCompletion,
}

const priceOptions = new Set([
  ...Object.values(ratioOptions),
  'ModelPrice',
  'ModelRatio',
  stepOption,
  'GroupRatio',
  'QuotaPerUnit',
  'SelfUseModeEnabled',
  'tool_price_setting.prices',
])

interface Caller {
  acceptUnset: boolean
  isAdmin: boolean
  field?: string
}

/** The snapshots that were made, by model and group. */
class Snapshots {
  readonly #kept = new Map<string, PriceSnapshot>()
  readonly #log: Pick<Logger, 'error'>

  constructor(log: Pick<Logger, 'error'>) {
    this.#log = log
  }

  of(book: PriceBook, model: string, group: string, caller: Caller): PriceSnapshot {
    const key = `${caller.acceptUnset ? 1 : 0}${group}\0${model}`
    const known = this.#kept.get(key)
    if (known) return known
    const made = takeSnapshot(book, model, group, caller)
    if (!book.groupRatio.has(group)) {
      this.#log.error(
        { group, model },
        'This group is missing from GroupRatio and is charged at ratio 1',
      )
    }
    if (this.#kept.size >= SNAPSHOTS_KEPT) this.#kept.clear()
    this.#kept.set(key, made)
    return made
  }

  clear(): void {
    this.#kept.clear()
  }
}

/** Prices according to the options. Snapshots are kept until one of these options changes. */
export function createPricing({
  options,
  adapters = () => [],
  log,
}: {
  options: PriceOptions
  /** The adapters of the current generation; their model families are part of the price book. */
  adapters?: () => readonly PricedAdapter[]
  log: Pick<Logger, 'error'>
}): PricingService & { refresh(): void; close(): void } {
  let book: PriceBook | undefined
  const snapshots = new Snapshots(log)
  const current = () => (book ??= readPriceBook(options, adapters()))
  let revision = 0
  const refresh = () => {
    revision += 1
    book = undefined
    snapshots.clear()
  }
  const close = options.onChange((key) => {
    if (priceOptions.has(key)) refresh()
    else if (key === 'UserUsableGroups') revision += 1
  })

  return {
    snapshot: (model, group, caller) => snapshots.of(current(), model, group, caller),
    estimate: (price, input) =>
      estimateUnits(price, {
        ...input,
        leastPromptTokens: options.get<number>('PreConsumedQuota'),
      }),
    receipt: writeReceipt,
    usableGroups: (userGroup) =>
      usableGroupsOf(
        current().groupRatio,
        options.get<Record<string, string>>('UserUsableGroups'),
        userGroup,
      ),
    groupNames: () => groupNamesOf(current().groupRatio),
    isPriced: (model) => findPrice(current(), model) !== undefined,
    get revision() {
      return revision
    },
    rows: (groupsOfModels) => priceRows(current(), groupsOfModels),
    refresh,
    close,
  }
}

function priceRows(
  book: PriceBook,
  groupsOfModels: ReadonlyMap<string, readonly string[]>,
): JsonObject[] {
  return [...groupsOfModels]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([model, groups]) =>
      priceRow(model, groups, findPrice(book, model), {
        ...ratiosOf(book, model),
        steps: stepsOf(book, model),
      }),
    )
}

function readPriceBook(options: PriceOptions, adapters: readonly PricedAdapter[]): PriceBook {
  const own = (key: string) => new PriceMap(options.get<NumberMap>(key))
  // The schema's default of such an option is the shipped table, whatever the admin has stored.
  const shippedTable = (key: string): unknown => options.schemaOf(key)?.default
  const shipped = (key: string) => new PriceMap(shippedTable(key) as NumberMap | undefined)
  return {
    modelPrice: own('ModelPrice'),
    taskPrice: taskPrices(adapters),
    modelRatio: own('ModelRatio'),
    own: ratioMaps(own),
    shipped: { ...ratioMaps(shipped), modelRatio: shipped('ModelRatio') },
    steps: {
      own: new PriceMap(options.get<StepTable>(stepOption)),
      shipped: new PriceMap(shippedTable(stepOption) as StepTable | undefined),
    },
    families: familyRatios(adapters),
    groupRatio: new Map(Object.entries(options.get<NumberMap>('GroupRatio'))),
    toolPrices: options.get<NumberMap>('tool_price_setting.prices'),
    quotaPerUnit: options.get<number>('QuotaPerUnit'),
    isSelfUse: options.get<boolean>('SelfUseModeEnabled'),
  }
}

function ratioMaps(read: (option: string) => PriceMap): RatioMaps {
  const entries = Object.entries(ratioOptions).map(([name, option]) => [name, read(option)])
  return Object.fromEntries(entries) as RatioMaps
}
