import { envelope, type PluginServices, channelStatus, type RouteApp } from '#core'
import { batchStatusBody, batchTagBody, tagBody, tagEditBody } from './schema.ts'

const config = { access: 'admin' } as const
const statuses = {
  enabled: channelStatus.enabled,
  disabled: channelStatus.disabledByHand,
} as const

/** Calls that act on several channels, and on all of a tag. */
export function tagRoutes(app: RouteApp, { channels }: PluginServices): void {
  batchRoutes(app, channels)
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

function batchRoutes(app: RouteApp, channels: PluginServices['channels']): void {
  const tagged = {
    summary: 'Set the tag of several channels; without `tag` it is removed',
    body: batchTagBody,
  }
  app.post('/api/channel/batch/tag', { config, schema: tagged }, async ({ body }) => {
    await channels.tagChannels(body.ids, body.tag ?? null)
    return envelope(body.ids.length)
  })
  const switched = {
    summary: 'Enable or disable several channels; answers how many have changed',
    body: batchStatusBody,
  }
  app.post('/api/channel/batch/status', { config, schema: switched }, async ({ body }) =>
    envelope(await channels.setStatus(body.ids, body.status)),
  )
}
