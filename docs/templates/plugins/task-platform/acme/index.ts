import { definePlugin } from 'tollgate/contract'
import { platform } from './platform.ts'

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Drawings in the background', zh: '后台绘图' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['taskPlatforms'] },
  server({ taskPlatforms }) {
    // Channels of this type serve it: 1 is an upstream of the OpenAI kind, at the address that the channel states.
    taskPlatforms.add({ ...platform, channelTypes: [1] })
  },
})
