import type { FastifyInstance } from 'fastify'
import { envelope, type PluginServices } from '#core'
import { tagBody, tagEditBody, type TagBody, type TagEditBody } from './schema.ts'

const config = { access: 'admin' } as const
const statuses = { enabled: 1, disabled: 2 } as const

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
