import type { AttemptContext, Body } from '#core'
import { clamped, withoutDeveloperRole } from '#adapter-kit'

const SEARCH_SUFFIX = '-internet'

/** `top_p` lies between 0 and 1, both excluded; there is no developer role; a name that ends in `-internet` is the same model with its search on. */
export function toQwen(body: Body, { model }: AttemptContext): Body {
  const fitted = withoutDeveloperRole(clamped(body, 'top_p', { min: 0.001, max: 0.999 }))
  return model.endsWith(SEARCH_SUFFIX)
    ? { ...fitted, model: model.slice(0, -SEARCH_SUFFIX.length), enable_search: true }
    : fitted
}
