import { defineOptions, definePlugin, Type } from '#core'
import { taskRoutes } from './routes.ts'

export default definePlugin({
  id: 'tasks',
  summary: { en: 'Task log of music and video', zh: '音乐与视频任务日志' },
  options: defineOptions({
    TaskEnabled: Type.Boolean({
      default: true,
      'x-ui': { tab: 'operation', section: 'general', order: 55 },
    }),
  }),
  server(services) {
    const { options, routes, statusFields } = services
    statusFields.add({ id: 'enable_task', value: () => options.get('TaskEnabled') })
    routes.add((app) => taskRoutes(app, services))
  },
})
