/** What a long prompt costs: all tokens of a call whose prompt is longer than `above` cost so many times the model's own prices. */
export interface PriceStep {
  /** Prompt tokens, cached ones among them. */
  above: number
  /** Times the price of everything in the prompt. */
  input: number
  /** Times the price of everything in the answer. */
  output: number
  /** Times the price of cached input read, where that is not `input`. */
  cacheRead?: number
}

/** Price facts of one model, as the vendor's page has them. */
export interface ModelPrice {
  /** US dollars a call; wins over the ratio. */
  price?: number
  /** Price of prompt tokens; 1 = two US dollars a million. */
  ratio?: number
  /** Answer tokens to prompt tokens. */
  completion?: number
  /** Cached input read, and a five-minute cache write, to prompt tokens. */
  cacheRead?: number
  cacheWrite?: number
  /** Image input to text input, image output to text input. */
  image?: number
  imageCompletion?: number
  /** Audio input to text input, audio output to audio input. */
  audio?: number
  audioCompletion?: number
  /** By the length of the prompt, the shortest first. */
  steps?: readonly PriceStep[]
}

/** By model name; a name that ends in `*` stands for all that begin so. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>

export interface ProviderPrices {
  /** The start of the admin's price tables. */
  models: ModelPrices
  /** Ratios for names that no table has, such as a model of tomorrow. The longest match counts. */
  families?: ModelPrices
}
