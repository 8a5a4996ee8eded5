/** The ratios if neither a table nor a provider's families have one. */
export const unset = Object.freeze({
  /** For models without a price, if self-use mode or the user accepts that. */
  model: 37.5,
  completion: 1,
  cacheRead: 1,
  cacheWrite: 1.25,
  audioCompletion: 2,
})
