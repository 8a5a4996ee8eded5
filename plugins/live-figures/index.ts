import { definePlugin, envelope } from '#core'

const mostFailing = 10

export default definePlugin({
  id: 'live-figures',
  summary: {
    en: 'Live figures: calls, latencies, channels and processes of this minute',
    zh: '实时状态：当前一分钟的调用、延迟、渠道与节点',
  },
  server({ routes, monitoring, channels }) {
    routes.add((app) => {
      app.get('/api/live', { config: { access: 'admin' } }, () =>
        envelope({ nodes: monitoring.nodes(), channels: channels.standing(mostFailing) }),
      )
    })
  },
})
