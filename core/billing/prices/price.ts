import { errorType } from '../../contract/errors.ts'
import type { PriceStep } from '../../contract/prices.ts'
import type { PriceSnapshot } from '../../contract/services.ts'
import { foldModelName, PriceMap, type PriceMatch } from './price-map.ts'
import type { FamilyRatios } from './default-prices.ts'
import { unset } from './unset-ratios.ts'
import { toolPricesFor } from './tool-prices.ts'

/** All price maps of one moment: the admin's values, and the shipped ones for everything else. */
export interface PriceBook {
  modelPrice: PriceMap
  /** For tasks that `modelPrice` does not have. */
  taskPrice: PriceMap
  modelRatio: PriceMap
  own: RatioMaps
  shipped: RatioMaps & { modelRatio: PriceMap }
  steps: { own: StepMap; shipped: StepMap }
  families: FamilyRatios
  groupRatio: ReadonlyMap<string, number>
  toolPrices: Readonly<Record<string, number>>
  quotaPerUnit: number
  isSelfUse: boolean
}

export type StepMap = PriceMap<readonly PriceStep[]>

export interface RatioMaps {
  completion: PriceMap
  cacheRead: PriceMap
  cacheWrite: PriceMap
  image: PriceMap
  imageCompletion: PriceMap
  audio: PriceMap
  audioCompletion: PriceMap
}

type RatioName = keyof RatioMaps

const priceUnset = {
  admin: errorType<{ model: string }>(
    'price.unset',
    400,
    {
      en: 'Model {model} has neither a price nor a ratio. Set one in the price settings or switch self-use mode on.',
      zh: '模型 {model} 未设置价格或倍率，请在价格设置中配置，或开启自用模式。',
    },
    { relay: 'model_price_error' },
  ),
  user: errorType<{ model: string }>(
    'price.unset',
    400,
    {
      en: 'Model {model} has no price yet. Ask the administrator to set one.',
      zh: '模型 {model} 尚未定价，请联系管理员设置。',
    },
    { relay: 'model_price_error' },
  ),
}

/** The price per call or the ratio that applies; at equal rank the price wins. */
export function findPrice(
  book: PriceBook,
  model: string,
): ({ mode: 'ratio' | 'price' } & PriceMatch) | undefined {
  const price = book.modelPrice.find(model) ?? book.taskPrice.find(model)
  const ratio = book.modelRatio.find(model)
  if (price && price.rank >= (ratio?.rank ?? 0)) return { mode: 'price', ...price }
  return ratio && { mode: 'ratio', ...ratio }
}

/** Freezes the prices of a request at its start.
 *  @throws price.unset */
export function takeSnapshot(
  book: PriceBook,
  model: string,
  group: string,
  caller: { acceptUnset: boolean; isAdmin: boolean; field?: string },
): PriceSnapshot {
  const found = findPrice(book, model)
  if (!found && !book.isSelfUse && !caller.acceptUnset) {
    // Repeating the call cannot help, so SDKs are told not to.
    const refuse = caller.isAdmin ? priceUnset.admin : priceUnset.user
    const { field } = caller
    const more = field === undefined ? {} : { field }
    throw refuse({ model }, { ...more, headers: { 'x-should-retry': 'false' } })
  }
  const isPrice = found?.mode === 'price'
  return Object.freeze({
    name: found?.key ?? foldModelName(model),
    mode: isPrice ? 'price' : 'ratio',
    modelPrice: isPrice ? found.value : -1,
    modelRatio: isPrice ? 0 : (found?.value ?? unset.model),
    ...ratiosOf(book, model),
    steps: stepsOf(book, model),
    groupRatio: book.groupRatio.get(group) ?? 1,
    group,
    quotaPerUnit: book.quotaPerUnit,
    toolPrices: toolPricesFor(book.toolPrices, foldModelName(model)),
    factor: 1,
  })
}

/** Found in the same way as the ratios beside the model's own. An empty list of the admin means that there are no steps. */
export function stepsOf({ steps, shipped, families }: PriceBook, model: string) {
  const isShipped = shipped.modelRatio.find(model) !== undefined
  const found =
    steps.own.find(model) ??
    steps.shipped.find(model) ??
    (isShipped ? undefined : families.steps.find(model))
  return found?.value ?? []
}

/** The ratios beside the model's own. Ratios of families only apply to names that the shipped tables do not have. */
export function ratiosOf(book: PriceBook, model: string) {
  const isShipped = book.shipped.modelRatio.find(model) !== undefined
  const ratio = (name: RatioName) =>
    (book.own[name].find(model) ?? book.shipped[name].find(model))?.value ??
    (isShipped ? undefined : book.families[name].find(model)?.value)

  const completionRatio = ratio('completion') ?? unset.completion
  const imageRatio = ratio('image')
  const audioRatio = ratio('audio')
  const cacheWriteRatio = ratio('cacheWrite')
  return {
    completionRatio,
    cacheRatio: ratio('cacheRead') ?? unset.cacheRead,
    createCacheRatio: cacheWriteRatio ?? unset.cacheWrite,
    hasCacheWriteRatio: cacheWriteRatio !== undefined,
    imageRatio: imageRatio ?? 1,
    hasImageRatio: imageRatio !== undefined,
    // Without a price of their own, images in the answer cost as much as its text.
    imageCompletionRatio: ratio('imageCompletion') ?? completionRatio,
    audioRatio: audioRatio ?? 1,
    hasAudioRatio: audioRatio !== undefined,
    audioCompletionRatio: ratio('audioCompletion') ?? unset.audioCompletion,
  }
}
