// The price tables of a new installation, read from the adapters' folders without loading the adapters.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProviderPrices } from '#core'
import { defaultPrices, familyRatios } from '../../core/billing/prices/default-prices.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

const shipped = globSync('adapters/*/prices.json', { cwd: repository })
  .sort()
  .map((file) => ({
    id: file.split('/')[1] ?? '',
    prices: JSON.parse(readFileSync(join(repository, file), 'utf8')) as ProviderPrices,
  }))

/** By the id of the adapter. */
export const shippedByProvider: readonly { id: string; prices: ProviderPrices }[] = shipped
export const shippedPrices = defaultPrices(shipped)
export const shippedFamilies = familyRatios(shipped)
/** For `createPricing`. */
export const pricedAdapters = () => shipped
