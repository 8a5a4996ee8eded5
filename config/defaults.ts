// The price maps and groups that a new installation starts with; from then on they are options.
// Public price facts, not advice. Units of each map: defaults/README.md.
import audioCompletionRatio from './defaults/audio-completion-ratios.json' with { type: 'json' }
import audioRatio from './defaults/audio-ratios.json' with { type: 'json' }
import cacheRatio from './defaults/cache-ratios.json' with { type: 'json' }
import completionRatio from './defaults/completion-ratios.json' with { type: 'json' }
import createCacheRatio from './defaults/create-cache-ratios.json' with { type: 'json' }
import groupRatio from './defaults/group-ratios.json' with { type: 'json' }
import imageCompletionRatio from './defaults/image-completion-ratios.json' with { type: 'json' }
import imageRatio from './defaults/image-ratios.json' with { type: 'json' }
import modelPrice from './defaults/model-prices.json' with { type: 'json' }
import modelRatio from './defaults/model-ratios.json' with { type: 'json' }
import toolPrices from './defaults/tool-prices.json' with { type: 'json' }
import topupGroupRatio from './defaults/topup-group-ratios.json' with { type: 'json' }
import userUsableGroups from './defaults/user-usable-groups.json' with { type: 'json' }

type NumberMap = Readonly<Record<string, number>>

export interface Defaults {
  modelRatio: NumberMap
  completionRatio: NumberMap
  modelPrice: NumberMap
  cacheRatio: NumberMap
  createCacheRatio: NumberMap
  audioRatio: NumberMap
  audioCompletionRatio: NumberMap
  imageRatio: NumberMap
  imageCompletionRatio: NumberMap
  groupRatio: NumberMap
  userUsableGroups: Readonly<Record<string, string>>
  topupGroupRatio: NumberMap
  toolPrices: NumberMap
}

export const defaults: Defaults = {
  modelRatio,
  completionRatio,
  modelPrice,
  cacheRatio,
  createCacheRatio,
  audioRatio,
  audioCompletionRatio,
  imageRatio,
  imageCompletionRatio,
  groupRatio,
  userUsableGroups,
  topupGroupRatio,
  toolPrices,
}
