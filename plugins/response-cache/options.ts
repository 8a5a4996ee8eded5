import { defineOptions, type OptionUi, Type } from '#core'

const ui = (order: number, more: OptionUi = {}) => ({
  'x-ui': { tab: 'operation', section: 'response-cache', order, ...more },
})

export const cacheOptions = defineOptions({
  ResponseCacheCalls: Type.Union([Type.Literal('deterministic'), Type.Literal('all')], {
    default: 'deterministic',
    ...ui(10),
  }),
  ResponseCacheScope: Type.Union(
    [Type.Literal('token'), Type.Literal('user'), Type.Literal('everyone')],
    { default: 'user', ...ui(20) },
  ),
  ResponseCachePricePercent: Type.Integer({
    default: 10,
    minimum: 0,
    maximum: 100,
    ...ui(30, { unit: 'percent' }),
  }),
  ResponseCacheMinutes: Type.Integer({
    default: 60,
    minimum: 1,
    maximum: 10_080,
    ...ui(40, { unit: 'minutes' }),
  }),
  ResponseCacheMegabytes: Type.Integer({
    default: 64,
    minimum: 1,
    maximum: 4_096,
    ...ui(50, { unit: 'MB' }),
  }),
  ResponseCacheGroups: Type.String({
    default: '',
    maxLength: 4_000,
    ...ui(60, { widget: 'tags', choicesFrom: '/api/group/' }),
  }),
  ResponseCacheModels: Type.String({
    default: '',
    maxLength: 8_000,
    ...ui(70, { widget: 'tags', choicesFrom: '/api/channel/models_enabled' }),
  }),
})
