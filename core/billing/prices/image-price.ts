// Charges of image routes: price × size × quality × count.
import type { PriceSnapshot } from '../../contract/services.ts'
import { exact, exactText, multiply } from '../decimal.ts'

/** USD of one image at model ratio 1. */
const USD_PER_RATIO = exact(0.0025)

const sizeFactors: ReadonlyMap<string, number> = new Map([
  ['256x256', 0.4],
  ['512x512', 0.45],
  ['1024x1024', 1],
  ['1024x1792', 2],
  ['1792x1024', 2],
])

/** The snapshot of a call that is charged by the image; `count` is an integer above 0. A model that reports tokens
 *  keeps its price by ratio. */
export function imagePrice(
  price: PriceSnapshot,
  call: { model: string; size?: string; quality?: string; count: number },
): PriceSnapshot {
  const modelPrice =
    price.mode === 'price'
      ? price.modelPrice
      : Number(exactText(multiply(USD_PER_RATIO, exact(price.modelRatio))))
  return Object.freeze({ ...price, mode: 'price', modelPrice, factor: factorOf(call) })
}

/** A picture that costs a multiple of the model's price. */
export interface PictureFactor {
  size: string
  quality?: 'hd'
  factor: number
}

/** What pictures cost that do not cost the model's price. */
export function pictureFactors(model: string): PictureFactor[] {
  const sizes = [...sizeFactors.keys()].filter((size) => isDrawn(model, size))
  const qualities = model === 'dall-e-3' ? ([undefined, 'hd'] as const) : ([undefined] as const)
  return qualities
    .flatMap((quality) => sizes.map((size) => ({ size, ...(quality ? { quality } : {}) })))
    .map((picture) => ({ ...picture, factor: factorOf({ model, ...picture, count: 1 }) }))
    .filter(({ factor }) => factor !== 1)
}

/** Of the sizes only those that the two models draw (developers.openai.com, guide "Image generation"). */
function isDrawn(model: string, size: string): boolean {
  const factor = sizeFactors.get(size) ?? 1
  if (model === 'dall-e-3') return factor >= 1
  return model === 'dall-e-2' ? factor <= 1 : true
}

/** Only dall-e has prices by size and quality. */
function factorOf(call: { model: string; size?: string; quality?: string; count: number }): number {
  const { count } = call
  if (!call.model.startsWith('dall-e')) return count
  const size = sizeFactors.get(call.size ?? '1024x1024') ?? 1
  if (call.model !== 'dall-e-3' || call.quality !== 'hd') {
    return Number(exactText(multiply(exact(size), exact(count))))
  }
  const isLong = size === 2
  return Number(exactText(multiply(exact(size), exact(isLong ? 1.5 : 2), exact(count))))
}
