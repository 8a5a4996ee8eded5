import { definePlugin } from '#core'

/** The price editors of the settings page. The maps belong to core, which charges by them. */
export default definePlugin({
  id: 'model-prices',
  summary: { en: 'Editors for model prices', zh: '模型价格编辑' },
})
