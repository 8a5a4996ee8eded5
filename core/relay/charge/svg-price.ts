import type { Usage } from '../../contract/neutral.ts'
import type { PriceSnapshot, PricingService } from '../../contract/services.ts'
import type { RelayCall } from '../call/relay-call.ts'
import { svgAuthorsOf } from './drawing-models.ts'

/** The price with that of the model that wrote pictures as SVG: the call's own, if it did, else the first of the names in the answer and the
 *  request that has a price. Only the answer tells the author that a provider chose.
 *  @returns the same object if nothing was written, or if no name has a price */
export function withSvgPrice(
  price: PriceSnapshot,
  { svg }: Usage,
  call: Pick<RelayCall, 'body' | 'form' | 'group'>,
  {
    upstreamModel,
    pricing,
  }: { upstreamModel: string; pricing: Pick<PricingService, 'snapshot' | 'isPriced'> },
): PriceSnapshot {
  if (!svg) return price
  if (svg.model === upstreamModel) return { ...price, svg: price }
  const names = [svg.model, ...svgAuthorsOf(call).map(({ name }) => name)]
  const name = names.find((one) => pricing.isPriced(one))
  if (name === undefined) return price
  return {
    ...price,
    svg: pricing.snapshot(name, call.group, { acceptUnset: false, isAdmin: false }),
  }
}
