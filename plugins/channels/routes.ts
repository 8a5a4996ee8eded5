import type { FastifyReply } from 'fastify'
import {
  callerOf,
  channelBody,
  envelope,
  logType,
  newChannelBody,
  type ChannelFilter,
  type ChannelRecord,
  type PageQuery,
  type PluginServices,
  readPage,
  type RouteApp,
} from '#core'
import {
  channelInPath,
  channelSearchQuery,
  idsBody,
  listQuery,
  type ListQuery,
  refusedKeysBody,
} from './schema.ts'
import { writeList } from './write-list.ts'

const config = { access: 'admin' } as const
const inPath = (summary: string) => ({ config, schema: { summary, params: channelInPath } })
const MOST_ON_A_PAGE = 1000

export function channelRoutes(app: RouteApp, services: PluginServices): void {
  readingRoutes(app, services)
  writingRoutes(app, services)
  keyRoute(app, services)
  refusedKeyRoutes(app, services)
  removingRoutes(app, services)
}

function readingRoutes(app: RouteApp, { channels }: PluginServices): void {
  const withHealth = (channel: ChannelRecord) => ({
    ...channel,
    health: channels.recentHealth(channel.id),
  })
  const answer = async (query: ListQuery, { page, pageSize }: PageQuery, reply: FastifyReply) => {
    const { items, total } = await channels.list({
      offset: page * pageSize,
      limit: pageSize,
      ...readModes(query),
      ...readFilter(query),
    })
    reply.header('x-total-count', total).type('application/json; charset=utf-8')
    return writeList(items, withHealth)
  }
  const listed = {
    summary: 'List channels without keys, by page; total in X-Total-Count',
    querystring: listQuery,
  }
  app.get('/api/channel/', { config, schema: listed }, (request, reply) =>
    answer(request.query, readPage(request.query, { firstPage: 0, max: MOST_ON_A_PAGE }), reply),
  )
  const searched = {
    summary: 'Search channels; answers with the first 1000, without pages',
    querystring: channelSearchQuery,
  }
  app.get('/api/channel/search', { config, schema: searched }, (request, reply) =>
    answer(request.query, { page: 0, pageSize: MOST_ON_A_PAGE }, reply),
  )
  const tags = { summary: 'List the tags of channels' }
  app.get('/api/channel/tags', { config, schema: tags }, async () =>
    envelope(await channels.tags()),
  )
  app.get('/api/channel/:id', inPath('Show a channel, without its key'), async (request) =>
    envelope(await channels.find(request.params.id)),
  )
}

/** The only answer that contains a key. It is for the super admin, requires a recent proof of identity, and is always logged. */
function keyRoute(app: RouteApp, { channels, database, logs }: PluginServices): void {
  app.post(
    '/api/channel/:id/key',
    {
      config: { access: 'root', rate: 'critical', needsProof: true },
      schema: {
        summary: 'Show the key of a channel; it is logged who saw it',
        params: channelInPath,
      },
    },
    async (request) => {
      const { id } = request.params
      const key = await channels.storedKey(id)
      const { id: userId, username } = callerOf(request)
      const row = {
        user_id: userId,
        username,
        type: logType.manage,
        content: `The key of channel ${id} was shown to ${username} (id ${userId})`,
        other: JSON.stringify({ op: 'channel.key', id }),
      }
      await database.transaction((transaction) => logs.writeIn(row, transaction))
      return envelope({ key })
    },
  )
}

/** Keys that their provider refused are used again or taken out. Neither answer contains a key. */
function refusedKeyRoutes(app: RouteApp, { channels }: PluginServices): void {
  const schema = (summary: string) => ({ summary, params: channelInPath, body: refusedKeysBody })
  const enabled = schema('Use keys of a channel again that the provider refused')
  const removed = schema('Remove keys of a channel that the provider refused')
  app.post('/api/channel/:id/keys/enable', { config, schema: enabled }, async ({ params, body }) =>
    envelope(await channels.enableKeys(params.id, body)),
  )
  app.post('/api/channel/:id/keys/remove', { config, schema: removed }, async ({ params, body }) =>
    envelope(await channels.removeKeys(params.id, body)),
  )
}

function writingRoutes(app: RouteApp, { channels }: PluginServices): void {
  const created = {
    summary: 'Create a channel for each line of `key`; answers with the ids',
    body: newChannelBody,
  }
  app.post('/api/channel/', { config, schema: created }, async (request) =>
    envelope(await channels.create(request.body)),
  )
  const edited = {
    summary: 'Edit a channel; missing fields and an empty `key` stay as they are',
    body: channelBody,
  }
  app.put('/api/channel/', { config, schema: edited }, async (request) =>
    envelope(await channels.update(request.body)),
  )
  const copied = inPath('Copy a channel with its key, enabled; answers with the id')
  app.post('/api/channel/copy/:id', copied, async (request) =>
    envelope(await channels.copy(request.params.id)),
  )
  const fix = { summary: 'Make all nodes read the channels anew; answers with their number' }
  app.post('/api/channel/fix', { config, schema: fix }, async () =>
    envelope(await channels.rebuildRouting()),
  )
}

function removingRoutes(app: RouteApp, { channels }: PluginServices): void {
  app.delete('/api/channel/:id', inPath('Delete a channel'), async (request) => {
    await channels.remove([request.params.id])
    return envelope()
  })
  const disabled = { summary: 'Delete all disabled channels, automatically disabled ones too' }
  app.delete('/api/channel/disabled', { config, schema: disabled }, async () =>
    envelope(await channels.removeDisabled()),
  )
  const batch = { summary: 'Delete several channels', body: idsBody }
  app.post('/api/channel/batch', { config, schema: batch }, async (request) => {
    await channels.remove(request.body.ids)
    return envelope(request.body.ids.length)
  })
}

function readModes(query: ListQuery) {
  return { isSortedById: isTrue(query.id_sort), isByTag: isTrue(query.tag_mode) }
}

function readFilter({ keyword, group, model, tag, sort, ...query }: ListQuery): ChannelFilter {
  const given = { keyword, group, model, tag, sort }
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(query.status === undefined ? {} : { status: Number(query.status) }),
    ...(query.type === undefined ? {} : { type: Number(query.type) }),
    isAscending: query.order === 'asc',
  }
}

function isTrue(text: string | undefined): boolean {
  return ['true', '1', 't'].includes(text?.toLowerCase() ?? '')
}
