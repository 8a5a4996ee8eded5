import { definePlugin, envelope, type PluginServices } from '#core'

const mostFailing = 10

export default definePlugin({
  id: 'live-figures',
  summary: {
    en: 'Live figures: calls, latencies, channels and processes of this minute',
    zh: '实时状态：当前一分钟的调用、延迟、渠道与节点',
  },
  server({ routes, monitoring, channels }) {
    routes.add((app) => {
      const schema = {
        summary: 'Show calls, latencies and load of each node now, and failing channels',
      }
      app.get('/api/live', { config: { access: 'admin' }, schema }, () =>
        envelope({ nodes: seen(monitoring), channels: channels.standing(mostFailing) }),
      )
    })
  },
})

/** The figures without the request that asks for them, which the first process answers. */
function seen(monitoring: PluginServices['monitoring']) {
  return monitoring.nodes().map((node, at) => {
    return at === 0 ? { ...node, in_flight: Math.max(0, node.in_flight - 1) } : node
  })
}
