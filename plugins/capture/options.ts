import { defineOptions, type OptionUi, Type } from '#core'

const MOST_DAYS = 90

const ui = (order: number, more: OptionUi = {}) => ({
  'x-ui': { tab: 'operation', section: 'capture', order, ...more },
})

export const captureOptions = defineOptions({
  CaptureDays: Type.Integer({ default: 7, minimum: 1, maximum: MOST_DAYS, ...ui(10) }),
  CaptureCallKilobytes: Type.Integer({
    default: 128,
    minimum: 1,
    maximum: 1_024,
    ...ui(20, { unit: 'KB' }),
  }),
  CaptureTotalMegabytes: Type.Integer({
    default: 500,
    minimum: 1,
    maximum: 100_000,
    ...ui(30, { unit: 'MB' }),
  }),
})
