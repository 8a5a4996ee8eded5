import { definePlugin, type JsonObject } from 'tollgate/contract'
import { withoutPadding } from './without-padding.ts'

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Takes the padding out of streams', zh: '去掉流式回答中的填充内容' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['relayHooks'] },
  server({ relayHooks }) {
    relayHooks.add({
      id: 'acme',
      stage: 'relay.event',
      // The stream goes on as it is when this breaks.
      onFailure: 'open',
      applies: ({ operation, dialect }) => operation === 'chat' && dialect !== 'gemini',
      // One for each streamed answer: what is remembered of it stands here.
      open: () => {
        let pings = 0
        return (data: JsonObject) => {
          // One sign of life at the beginning is enough.
          if (data['type'] === 'ping' && (pings += 1) > 1) return undefined
          return withoutPadding(data)
        }
      },
    })
  },
})
