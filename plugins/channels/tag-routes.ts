import type { FastifyInstance } from 'fastify'
import { envelope, type PluginServices, channelStatus } from '#core'
import { tagBody, tagEditBody, type TagBody, type TagEditBody } from './schema.ts'

const config = { access: 'admin' } as const
const statuses = {
  enabled: channelStatus.enabled,
  disabled: channelStatus.disabledByHand,
} as const

/** Calls that act on all channels of a tag. */
export function tagRoutes(app: FastifyInstance, { channels }: PluginServices): void {
  for (const [name, status] of Object.entries(statuses)) {
    app.post<{ Body: TagBody }>(
      `/api/channel/tag/${name}`,
      { config, schema: { body: tagBody } },
      async (request) => {
        await channels.setTagStatus(request.body.tag, status)
        return envelope()
      },
    )
  }
  app.put<{ Body: TagEditBody }>(
    '/api/channel/tag',
    { config, schema: { body: tagEditBody } },
    async (request) => {
      await channels.editTag(request.body)
      return envelope()
    },
  )
}
