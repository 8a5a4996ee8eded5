import { defineOptions, type OptionUi, Type } from '#core'
import { PatternLineFault, readPatterns } from './pattern/own-patterns.ts'

const ui = (order: number, more: OptionUi = {}) => ({
  'x-ui': { tab: 'operation', section: 'pii-masking', order, ...more },
})
const kind = (order: number) => Type.Boolean({ default: true, ...ui(order) })

export const maskingOptions = defineOptions(
  {
    PiiMaskingAction: Type.Union([Type.Literal('mask'), Type.Literal('refuse')], {
      default: 'mask',
      ...ui(1),
    }),
    PiiMaskingRestore: Type.Boolean({
      default: true,
      ...ui(2, { showIf: { PiiMaskingAction: 'mask' } }),
    }),
    PiiMaskingEmail: kind(10),
    PiiMaskingPhone: kind(11),
    PiiMaskingChineseId: kind(12),
    PiiMaskingCard: kind(13),
    PiiMaskingIban: kind(14),
    PiiMaskingIp: kind(15),
    PiiMaskingPatterns: Type.String({
      default: '',
      maxLength: 6_000,
      ...ui(20, { widget: 'lines' }),
    }),
    PiiMaskingGroups: Type.String({
      default: '',
      maxLength: 4_000,
      ...ui(30, { widget: 'tags', choicesFrom: '/api/group/' }),
    }),
    PiiMaskingModels: Type.String({
      default: '',
      maxLength: 8_000,
      ...ui(31, { widget: 'tags', choicesFrom: '/api/channel/models_enabled' }),
    }),
  },
  {
    check(key, value) {
      if (key !== 'PiiMaskingPatterns' || typeof value !== 'string') return undefined
      try {
        readPatterns(value)
        return undefined
      } catch (error) {
        if (error instanceof PatternLineFault) return error.text
        throw error
      }
    },
  },
)
