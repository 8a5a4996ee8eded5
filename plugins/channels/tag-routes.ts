import { envelope, type PluginServices, channelStatus, type RouteApp } from '#core'
import { tagBody, tagEditBody } from './schema.ts'

const config = { access: 'admin' } as const
const statuses = {
  enabled: channelStatus.enabled,
  disabled: channelStatus.disabledByHand,
} as const

/** Calls that act on all channels of a tag. */
export function tagRoutes(app: RouteApp, { channels }: PluginServices): void {
  for (const [name, status] of Object.entries(statuses)) {
    const schema = { summary: `Set all channels of a tag to ${name}`, body: tagBody }
    app.post(`/api/channel/tag/${name}`, { config, schema }, async (request) => {
      await channels.setTagStatus(request.body.tag, status)
      return envelope()
    })
  }
  const edited = {
    summary: 'Edit all channels of a tag; empty lists and missing fields stay',
    body: tagEditBody,
  }
  app.put('/api/channel/tag', { config, schema: edited }, async (request) => {
    await channels.editTag(request.body)
    return envelope()
  })
}
