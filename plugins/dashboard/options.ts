import { defineOptions, Type } from '#core'

const ui = { 'x-ui': { tab: 'operation', section: 'dashboard' } }

export const dashboardOptions = defineOptions({
  DataExportEnabled: Type.Boolean({ default: true, ...ui }),
  /** Minutes between two runs of the count. */
  DataExportInterval: Type.Integer({ default: 5, minimum: 1, maximum: 1440, ...ui }),
  DataExportDefaultTime: Type.Union(
    [Type.Literal('hour'), Type.Literal('day'), Type.Literal('week')],
    { default: 'hour', ...ui },
  ),
})
