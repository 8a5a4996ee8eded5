import type { JsonObject } from '../../contract/json.ts'
import { exact, exactText, multiply } from '../decimal.ts'
import { pictureFactors } from './image-price.ts'
import type { findPrice, ratiosOf, stepsOf } from './price.ts'
import { wireStep } from './price-steps.ts'
import { halfDayWriteFactor, hourWriteFactor } from './receipt.ts'
import { unset } from './unset-ratios.ts'

/** A model's row in the public price list. All fields are numbers, even those of the kind of price that does not apply. */
export function priceRow(
  model: string,
  groups: readonly string[],
  found: ReturnType<typeof findPrice>,
  ratios: ReturnType<typeof ratiosOf> & { steps: ReturnType<typeof stepsOf> },
): JsonObject {
  const isPrice = found?.mode === 'price'
  return {
    model_name: model,
    quota_type: isPrice ? 1 : 0,
    model_ratio: isPrice ? 0 : (found?.value ?? unset.model),
    model_price: isPrice ? found.value : 0,
    owner_by: '',
    completion_ratio: isPrice ? 0 : ratios.completionRatio,
    enable_groups: [...groups],
    // The ratio above is only the substitute that some users accept.
    ...(found ? {} : { is_priced: false }),
    cache_ratio: ratios.cacheRatio,
    create_cache_ratio: ratios.createCacheRatio,
    ...(isPrice || !ratios.hasCacheWriteRatio ? {} : longWrites(model, ratios.createCacheRatio)),
    ...(ratios.hasAudioRatio
      ? {
          audio_ratio: ratios.audioRatio,
          audio_completion_ratio: ratios.audioCompletionRatio,
        }
      : {}),
    ...(ratios.hasImageRatio ? { image_ratio: ratios.imageRatio } : {}),
    ...(ratios.imageCompletionRatio === ratios.completionRatio
      ? {}
      : { image_completion_ratio: ratios.imageCompletionRatio }),
    ...(isPrice || ratios.steps.length === 0 ? {} : { price_steps: ratios.steps.map(wireStep) }),
    ...(isPrice ? byPicture(model) : {}),
  }
}

/** Writes that last longer, of the makers that sell them: Anthropic for an hour, OpenAI for twelve. */
function longWrites(model: string, ratio: number): JsonObject {
  const times = (factor: typeof hourWriteFactor) =>
    Number(exactText(multiply(exact(ratio), factor)))
  return {
    ...(model.includes('claude') ? { create_cache_1h_ratio: times(hourWriteFactor) } : {}),
    ...(model.includes('gpt-') ? { create_cache_12h_ratio: times(halfDayWriteFactor) } : {}),
  }
}

function byPicture(model: string): JsonObject {
  const factors = pictureFactors(model)
  return factors.length === 0 ? {} : { image_factors: factors }
}
