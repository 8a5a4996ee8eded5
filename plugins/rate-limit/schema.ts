import { Type } from '@sinclair/typebox'

const ui = (more: object = {}) => ({ 'x-ui': { tab: 'ratelimit', section: 'models', ...more } })
const whileOn = { showIf: { ModelRequestRateLimitEnabled: true } }
const LARGEST = 2_147_483_647

/** Requests per window: all (0: no limit), and successful ones. */
const groupLimits = Type.Tuple([
  Type.Integer({ minimum: 0, maximum: LARGEST }),
  Type.Integer({ minimum: 1, maximum: LARGEST }),
])

export const rateLimitFields = {
  ModelRequestRateLimitEnabled: Type.Boolean({ default: false, ...ui() }),
  ModelRequestRateLimitDurationMinutes: Type.Integer({
    default: 1,
    minimum: 0,
    maximum: 525_600,
    ...ui({ ...whileOn, unit: 'minutes' }),
  }),
  ModelRequestRateLimitCount: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: LARGEST,
    ...ui({ ...whileOn, unit: 'requests' }),
  }),
  ModelRequestRateLimitSuccessCount: Type.Integer({
    default: 1000,
    minimum: 1,
    maximum: LARGEST,
    ...ui({ ...whileOn, unit: 'requests' }),
  }),
  ModelRequestRateLimitGroup: Type.Record(Type.String(), groupLimits, {
    default: {},
    ...ui({ ...whileOn, example: { default: [200, 100], vip: [0, 1000] } }),
  }),
}
