import {
  envelope,
  keyHolder,
  openToKeyHolders,
  type PluginServices,
  type RouteApp,
  takeLookUp,
  tooManyLookUps,
} from '#core'
import { ownerView } from './owner-view.ts'
import { tokenLogQuery } from './schema.ts'

const PATH = '/api/log/token'
const ROWS = 1000
const refusal = tooManyLookUps('logs.too_many_tries')

/** The newest rows of one key, for its holder: other sites use this call to show users what they spent. */
export function tokenLogRoutes(
  app: RouteApp,
  { rateLimits, tokens, usageLog }: Pick<PluginServices, 'rateLimits' | 'tokens' | 'usageLog'>,
): void {
  const config = { access: 'public' } as const
  openToKeyHolders(app, PATH)
  const schema = {
    summary: `Show the holder of a key its newest ${ROWS} log rows`,
    querystring: tokenLogQuery,
  }
  app.get(PATH, { config, schema }, async (request) => {
    await takeLookUp(rateLimits, { name: 'token-log', address: request.clientAddress, refusal })
    const token = await keyHolder(tokens, request, request.query.key)
    if (!token) return envelope([])
    const { items } = await usageLog.list({ tokenId: token.tokenId }, { page: 1, pageSize: ROWS })
    return envelope(items.map((row) => ownerView(row, request.language)))
  })
}
