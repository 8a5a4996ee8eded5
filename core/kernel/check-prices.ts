import type { ModelPrice, ModelPrices, ProviderPrices } from '../contract/prices.ts'

const known: Readonly<Record<keyof ModelPrice, true>> = {
  price: true,
  ratio: true,
  completion: true,
  cacheRead: true,
  cacheWrite: true,
  image: true,
  imageCompletion: true,
  audio: true,
  audioCompletion: true,
}

/** @throws Error naming the model and the figure that is none */
export function checkPrices(prices: ProviderPrices): void {
  for (const [place, table] of Object.entries<ModelPrices>({ ...prices })) {
    if (place !== 'models' && place !== 'families')
      throw new Error(`key "prices.${place}" is not known; known keys: models, families`)
    for (const [model, figures] of Object.entries(table)) {
      for (const [key, figure] of Object.entries(figures))
        checkFigure(`prices.${place}.${model}.${key}`, key, figure)
    }
  }
}

function checkFigure(place: string, key: string, figure: unknown): void {
  if (!Object.hasOwn(known, key))
    throw new Error(`key "${place}" is not known; known keys: ${Object.keys(known).join(', ')}`)
  if (typeof figure !== 'number' || !Number.isFinite(figure) || figure < 0)
    throw new Error(`key "${place}" must be a number from 0 on`)
}
