import { definePlugin } from '#core'
import { drawingOptions } from './options.ts'
import { drawingRoutes } from './routes.ts'

export default definePlugin({
  id: 'drawing',
  summary: { en: 'Drawing log and drawing settings', zh: '绘图日志与绘图设置' },
  options: drawingOptions,
  server(services) {
    const { options, routes, statusFields } = services
    statusFields.add({ id: 'enable_drawing', value: () => options.get('DrawingEnabled') })
    statusFields.add({ id: 'mj_notify_enabled', value: () => options.get('MjNotifyEnabled') })
    routes.add((app) => drawingRoutes(app, services))
  },
})
