// Model lists in the three shapes that SDKs expect, chosen by the request's headers.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ChatDialect } from '../../contract/dialect.ts'
import type { JsonObject } from '../../contract/json.ts'
import { byName } from '../../contract/natural-order.ts'
import type { TokenIdentity } from '../../contract/services.ts'
import { automaticGroups, groupOf } from '../intake/admit.ts'
import type { AdmitDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { callerOf, type KeyCheck } from '../intake/key-check.ts'

type Shape = 'openai' | 'anthropic' | 'gemini'

interface ModelEntry {
  id: string
  ownedBy: string
}

/** The creation date of every model, as this family of gateways reports it. */
const CREATED_SECONDS = 1_626_777_600

export function modelRoutes(app: FastifyInstance, deps: AdmitDeps, onRequest: KeyCheck): void {
  // Programs try an address or a key with HEAD.
  const reading = {
    method: ['GET', 'HEAD'],
    config: { relay: { dialect: 'openai-chat' as const, dialectOf } },
    onRequest,
  }
  for (const url of ['/v1/models', '/v1beta/models', '/v1beta/openai/models']) {
    app.route({
      ...reading,
      url,
      handler: (request) => {
        const shape = shapeOf(request)
        return lists[shape](
          modelsOf(callerOf(request).identity, deps),
          request.query as Record<string, string>,
        )
      },
    })
  }
  for (const url of ['/v1/models/*', '/v1beta/models/*']) {
    app.route<{ Params: { '*': string } }>({
      ...reading,
      url,
      handler: (request) => single(request, request.params['*'], deps),
    })
  }
  app.delete('/v1/models/*', { config: { relay: { dialect: 'openai-chat' } }, onRequest }, () => {
    throw relayErrors.notImplemented()
  })
}

const dialects: Readonly<Record<Shape, ChatDialect>> = {
  openai: 'openai-chat',
  anthropic: 'anthropic-messages',
  gemini: 'gemini',
}

function dialectOf(request: FastifyRequest): ChatDialect {
  return dialects[shapeOf(request)]
}

function shapeOf(request: FastifyRequest): Shape {
  if (request.url.startsWith('/v1beta/openai/')) return 'openai'
  if (request.headers['anthropic-version'] !== undefined) return 'anthropic'
  const { key } = request.query as { key?: string }
  const isGemini =
    request.headers['x-goog-api-key'] !== undefined ||
    key !== undefined ||
    request.url.startsWith('/v1beta/models')
  return isGemini ? 'gemini' : 'openai'
}

function single(request: FastifyRequest, name: string, deps: AdmitDeps): JsonObject {
  const model = modelsOf(callerOf(request).identity, deps).find((entry) => entry.id === name)
  if (!model) throw relayErrors.modelUnknown({ model: name.slice(0, 200) }, { field: 'model' })
  return objects[shapeOf(request)](model)
}

/** The token's own list of models, else those that its group can call. Models without a price are left out unless they
 *  may be called all the same. */
function modelsOf(identity: TokenIdentity, deps: AdmitDeps): ModelEntry[] {
  const owners = ownersOf(identity, deps)
  const names = identity.models ? [...identity.models].sort(byName) : [...owners.keys()]
  const mayBeUnpriced = deps.options.get<boolean>('SelfUseModeEnabled') || identity.acceptUnsetRatio
  return names
    .filter((name) => mayBeUnpriced || deps.pricing.isPriced(name))
    .map((id) => ({ id, ownedBy: owners.get(id) ?? 'custom' }))
}

function ownersOf(identity: TokenIdentity, deps: AdmitDeps): Map<string, string> {
  const groups =
    identity.tokenGroup === 'auto' ? automaticGroups(identity, deps) : [groupOf(identity, deps, '')]
  const served = deps.index().modelsOf(groups)
  return new Map(
    [...served].map(([model, { adapter }]) => [model, adapter?.ownedBy ?? adapter?.id ?? 'custom']),
  )
}

/** Anthropic's own list has these fields for every model, and the SDKs of typed languages refuse an entry without them. */
const unknownOfModel: JsonObject = {
  lifecycle: 'active',
  line: null,
  capabilities: null,
  max_input_tokens: null,
  max_tokens: null,
  deprecated_at: null,
  retires_at: null,
}

const objects: Record<Shape, (model: ModelEntry) => JsonObject> = {
  openai: ({ id, ownedBy }) => ({
    id,
    object: 'model',
    created: CREATED_SECONDS,
    owned_by: ownedBy,
  }),
  anthropic: ({ id }) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(CREATED_SECONDS * 1000).toISOString(),
    ...unknownOfModel,
  }),
  gemini: ({ id }) => ({
    name: `models/${id}`,
    baseModelId: id,
    version: '1',
    displayName: id,
    supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
  }),
}

const lists: Record<Shape, (models: ModelEntry[], query: Record<string, string>) => JsonObject> = {
  openai: (models) => ({ object: 'list', success: true, data: models.map(objects.openai) }),
  anthropic: (models, query) => {
    const { page, hasMore } = cursorPage(models, query)
    return {
      data: page.map(objects.anthropic),
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
      has_more: hasMore,
    }
  },
  gemini: (models, query) => {
    const size = Number.parseInt(query['pageSize'] ?? '', 10)
    const start = Number.parseInt(query['pageToken'] ?? '', 10) || 0
    const end = size > 0 ? start + size : models.length
    return {
      models: models.slice(start, end).map(objects.gemini),
      ...(end < models.length ? { nextPageToken: String(end) } : {}),
    }
  },
}

function cursorPage(
  models: ModelEntry[],
  query: Record<string, string>,
): { page: ModelEntry[]; hasMore: boolean } {
  const limit = Number.parseInt(query['limit'] ?? '', 10)
  const size = limit > 0 ? limit : models.length
  const after = models.findIndex((model) => model.id === query['after_id'])
  const before = models.findIndex((model) => model.id === query['before_id'])
  const end = before >= 0 ? before : models.length
  const start = after >= 0 ? after + 1 : before >= 0 ? Math.max(0, before - size) : 0
  const page = models.slice(start, Math.min(end, start + size))
  return { page, hasMore: before >= 0 ? start > 0 : start + page.length < models.length }
}
