// The key of a call in a cache: who may share its answer, and everything that determines the answer.
import { createHash } from 'node:crypto'
import { isObject, type JsonObject, objectsOf } from '../../contract/json.ts'
import type { ResponseCache } from '../../contract/relay-points.ts'
import type { AdmittedCall } from '../call/relay-call.ts'

/** Fields that decide how an answer is sent, not what it says. */
const ofTheForm: ReadonlySet<string> = new Set(['stream', 'stream_options'])
/** Headers that change what the upstream understands, such as versions and previews. */
const headers = ['anthropic-version', 'anthropic-beta', 'openai-beta'] as const

const servedFromCache: ReadonlySet<string> = new Set([
  'chat',
  'completions',
  'embeddings',
  'moderations',
  'rerank',
])

/** What upstreams keep and go on with: the same body is another question the next time. Of OpenAI, and of Anthropic. */
const statesOfUpstream = ['conversation', 'container'] as const

/** Whether the answer depends on the body alone, and the upstream stores nothing that the client could continue from. */
export function isCacheable(call: AdmittedCall): boolean {
  const { body } = call
  if (!body || !servedFromCache.has(call.operation)) return false
  if (call.bound || call.pinnedChannel !== undefined || body['background'] === true) return false
  if (statesOfUpstream.some((name) => (body[name] ?? null) !== null)) return false
  if (objectsOf(body['tools']).some(goesOnInContainer)) return false
  return call.dialect !== 'openai-responses' || body['store'] === false
}

/** A code interpreter, or a shell, of OpenAI in a container that is there already. */
function goesOnInContainer({ container, environment }: JsonObject): boolean {
  return typeof container === 'string' || (isObject(environment) && 'container_id' in environment)
}

/** A separate key for each cache, so that two caches with one store do not read each other's answers. */
export function cacheKey(call: AdmittedCall, cache: ResponseCache, mayShare: boolean): string {
  const { identity, operation, dialect, requestedModel, group, body, request } = call
  const scope = cache.scope === 'everyone' && !mayShare ? 'user' : cache.scope
  const owner = { token: identity.tokenId, user: identity.userId, everyone: 0 }[scope]
  // Calls of the playground have no token: their scope is the user.
  const of = scope === 'token' && owner === 0 ? ['user', identity.userId] : [scope, owner]
  const values = headers.map((name) => request.headers[name] ?? '')
  // Some upstreams take the version of their API from it, and one of them the model.
  const version = (request.query as JsonObject)['api-version'] ?? ''
  const asked = [operation, dialect, requestedModel, group, values, version, bodyOf(body)]
  const facts = [cache.id, ...of, ...asked]
  return createHash('sha256').update(canonical(facts)).digest('base64url')
}

function bodyOf(body: JsonObject = {}): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([key]) => !ofTheForm.has(key)))
}

/** JSON with sorted keys, so that their order in the client's body makes no difference. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const fields = Object.keys(value).toSorted()
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`
}
