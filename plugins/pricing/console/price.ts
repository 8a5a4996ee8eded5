// Converts a row of GET /api/pricing into money.
import { formatDollars } from '#console'

export interface PricedModel {
  model_name: string
  /** 0: by token, 1: by call. */
  quota_type: number
  model_ratio: number
  model_price: number
  completion_ratio: number
  cache_ratio?: number
  create_cache_ratio?: number
  /** Writes that are kept for an hour, or for twelve. */
  create_cache_1h_ratio?: number
  create_cache_12h_ratio?: number
  audio_ratio?: number
  /** Price of audio output / of audio input. */
  audio_completion_ratio?: number
  image_ratio?: number
  /** Price of image output / of text input. */
  image_completion_ratio?: number
  /** Factors for longer prompts, the shortest first. */
  price_steps?: readonly { above: number; input: number; output: number; cache_read?: number }[]
  /** Pictures that cost a multiple of `model_price`. */
  image_factors?: readonly { size: string; quality?: string; factor: number }[]
  /** The user's groups that may use the model. */
  enable_groups: string[]
  /** False if no price is set. The ratio is then a placeholder, and calls of users who have not accepted it are refused. */
  is_priced?: boolean
}

export interface Rates {
  groupRatio: number
  /** Units that make one dollar. */
  quotaPerUnit: number
}

const tokensOfPrice = 1_000_000

export function isPerCall(model: PricedModel): boolean {
  return model.quota_type === 1
}

/** Dollars per million tokens of each kind, or per call. */
export function pricesOf(model: PricedModel, { groupRatio, quotaPerUnit }: Rates) {
  const input = (tokensOfPrice / quotaPerUnit) * model.model_ratio * groupRatio
  const times = (ratio: number | undefined) => (ratio === undefined ? undefined : input * ratio)
  const { audio_ratio: audio, audio_completion_ratio: made } = model
  return {
    call: model.model_price * groupRatio,
    input,
    output: input * model.completion_ratio,
    cached: times(model.cache_ratio),
    cacheWrite: times(model.create_cache_ratio),
    cacheWrite1h: times(model.create_cache_1h_ratio),
    cacheWrite12h: times(model.create_cache_12h_ratio),
    audio: times(audio),
    audioOutput: audio === undefined || made === undefined ? undefined : input * audio * made,
    image: times(model.image_ratio),
    imageOutput: times(model.image_completion_ratio),
  }
}

/** Dollars of each picture that does not cost what the model's calls do. */
export function picturePricesOf(model: PricedModel, rates: Rates) {
  const { call } = pricesOf(model, rates)
  return (model.image_factors ?? []).map(({ size, quality, factor }) => ({
    // A size is a number by a number in every language.
    name: `${size.replace('x', ' × ')}${quality === undefined ? '' : `, ${quality.toUpperCase()}`}`,
    price: call * factor,
  }))
}

/** Dollars per million tokens of a call whose prompt is longer than `above`. */
export function stepPricesOf(model: PricedModel, rates: Rates) {
  const { input, output, cached } = pricesOf(model, rates)
  return (model.price_steps ?? []).map((step) => ({
    above: step.above,
    input: input * step.input,
    output: output * step.output,
    cached: cached === undefined ? undefined : cached * (step.cache_read ?? step.input),
  }))
}

export function money(dollars: number): string {
  return formatDollars(dollars, 1)
}

/** Tokens of the example call: a page of text in, half a page out. */
export const example = { prompt: 1000, completion: 500 } as const

export function exampleCost(model: PricedModel, { groupRatio, quotaPerUnit }: Rates): number {
  const tokens = example.prompt + example.completion * model.completion_ratio
  return (groupRatio * model.model_ratio * tokens) / quotaPerUnit
}
