import { defineOptions, Type } from '#core'

const flag = (fallback: boolean) =>
  Type.Boolean({ default: fallback, 'x-ui': { tab: 'operation', section: 'drawing' } })

export const drawingOptions = defineOptions({
  DrawingEnabled: flag(true),
  MjNotifyEnabled: flag(false),
  MjAccountFilterEnabled: flag(false),
  MjForwardUrlEnabled: flag(true),
  MjModeClearEnabled: flag(false),
  MjActionCheckSuccessEnabled: flag(true),
})
