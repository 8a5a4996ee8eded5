import type { ModelPrice, ModelPrices, PriceStep, ProviderPrices } from '../../contract/prices.ts'
import { isFigure } from '../check-values.ts'

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
  steps: true,
}
const stepKeys = new Set(['above', 'input', 'output', 'cacheRead'])

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
  if (key === 'steps') checkSteps(place, figure)
  else if (!isFigure(figure)) throw new Error(`key "${place}" must be a number from 0 on`)
}

function checkSteps(place: string, steps: unknown): void {
  const isList =
    Array.isArray(steps) &&
    steps.every((step, at) => isStep(step) && (at === 0 || step.above > steps[at - 1].above))
  if (!isList)
    throw new Error(
      `key "${place}" must be a list of {above, input, output} with numbers from 0 on, the shortest first`,
    )
}

function isStep(step: unknown): step is PriceStep {
  if (typeof step !== 'object' || step === null) return false
  const entries = Object.entries(step)
  const has = (key: string) => Object.hasOwn(step, key)
  const areKnown = entries.every(([key, figure]) => stepKeys.has(key) && isFigure(figure))
  return areKnown && has('above') && has('input') && has('output')
}
