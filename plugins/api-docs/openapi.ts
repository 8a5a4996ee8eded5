import { setImmediate as nextTurn } from 'node:timers/promises'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance } from 'fastify'
import type { JsonObject } from '#core'
import {
  callsBehind,
  modelInPath,
  relayCallOf,
  type RelayCall,
  restOfPath,
} from './relay-calls/index.ts'

type Route = FastifyInstance['routeTable'][number]

const enveloped = {
  description: 'The envelope; `success` says whether it worked.',
  type: 'object',
  properties: {
    success: { type: 'boolean' },
    message: { type: 'string' },
    data: {},
    code: { type: 'string', description: 'Why it failed, for programs.' },
  },
  required: ['success', 'message'],
}

/** The answer of a route that says with `produces` that it is no JSON. */
const plain = { description: 'The answer.', type: 'string' }

/** Replaces, while the document is made, a colon that the router would take for a parameter. */
const spelledPath = '/spelled/'

const relayError = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        message: { type: 'string' },
        type: { type: 'string' },
        param: {},
        code: {},
      },
    },
  },
}

const schemes = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of the gateway, `sk-…`.',
  },
  session: { type: 'apiKey', in: 'cookie', name: 'session' },
  accessToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The access token of the account; with it goes New-API-User.',
  },
  user: { type: 'apiKey', in: 'header', name: 'New-API-User', description: "One's own user id." },
} as const

/** The calls of programs come first; the rest belongs to the console. */
const tags = [
  { name: 'relay: openai-chat', description: 'Models, in the form of OpenAI' },
  { name: 'relay: openai-responses', description: 'Models, in the form of OpenAI Responses' },
  { name: 'relay: anthropic-messages', description: 'Models, in the form of Anthropic' },
  { name: 'relay: gemini', description: 'Models, in the form of Gemini' },
]

/** How many routes are described in one turn of the event loop: some milliseconds, so that calls go on in between. */
const ROUTES_AT_ONCE = 20

/** Describes these routes from what the gateway validates for each. */
export async function openApiDocument(routes: readonly Route[]): Promise<JsonObject> {
  const paths = new Map<string, object>()
  let document: JsonObject = {}
  for (let from = 0; from === 0 || from < routes.length; from += ROUTES_AT_ONCE) {
    const part = await describe(routes.slice(from, from + ROUTES_AT_ONCE))
    for (const [path, calls] of part.paths) paths.set(path, { ...paths.get(path), ...calls })
    document = part.document
    await nextTurn()
  }
  return { ...document, paths: Object.fromEntries(paths) }
}

async function describe(
  routes: readonly Route[],
): Promise<{ document: JsonObject; paths: [string, object][] }> {
  // A separate app that serves nothing, so that the document costs nothing until somebody asks for it.
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true }, exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => () => '')
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      tags,
      components: { securitySchemes: schemes },
    },
  })
  const spelled = new Map<string, string>()
  for (const route of routes) {
    const behind = callsBehind.get(`${route.method} ${route.path}`)
    if (!behind) addCall(app, route, named(route.path), relayCallOf(route.method, route.path))
    for (const [path, call] of behind ?? []) {
      // A router reads a colon as a parameter, so the colons are put back into the finished document.
      const place = `${spelledPath}${spelled.size}`
      spelled.set(place, path)
      addCall(app, route, place, call)
    }
  }
  await app.ready()
  const { paths = {}, ...document } = app.swagger()
  await app.close()
  return {
    document,
    paths: Object.entries(paths).map(([path, calls]) => [spelled.get(path) ?? path, { ...calls }]),
  }
}

/** A path whose rest has a name, without which a document cannot speak of it. */
function named(path: string): string {
  return path.replace(/\*$/, `:${path.includes('/models/') ? 'model' : 'rest'}`)
}

function addCall(
  app: FastifyInstance,
  { method, access, owner, dialect, schema }: Route,
  url: string,
  call: RelayCall | undefined,
): void {
  const isRelay = dialect !== undefined && access === undefined
  const { querystring, ...others } = schema ?? {}
  const described = {
    ...others,
    // Any names at all, as a sign-in provider sends them, are no parameters that could be listed.
    ...(namesFields(querystring) ? { querystring } : {}),
    tags: [isRelay ? `relay: ${dialect}` : owner],
    security: securityOf(access, isRelay),
    ...(isRelay
      ? relayFacts(call, url)
      : { response: { 200: others.produces ? plain : enveloped } }),
  }
  app.route({ method, url, schema: described, handler: () => '' })
}

/** @param call undefined for the route of a plugin, of which only the path is known */
function relayFacts(call: RelayCall | undefined, url: string): object {
  const { isForm, answer, ...facts } = call ?? {}
  return {
    ...facts,
    ...(isForm ? { consumes: ['multipart/form-data'] } : {}),
    ...paramsOf(url),
    response: {
      ...(answer === undefined ? {} : { 200: { description: 'The answer.', ...answer } }),
      default: { description: 'An error in the form of the dialect.', ...relayError },
    },
  }
}

function paramsOf(url: string): { params?: JsonObject } {
  if (url.startsWith(spelledPath) || url.endsWith(':model')) return { params: modelInPath }
  return url.endsWith(':rest') ? { params: restOfPath } : {}
}

function namesFields(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'properties' in schema
}

function securityOf(access: Route['access'], isRelay: boolean): Record<string, string[]>[] {
  if (isRelay) return [{ token: [] }]
  if (access === undefined || access === 'public') return []
  if (access === 'session') return [{ session: [] }]
  const signedIn: Record<string, string[]>[] = [
    { session: [], user: [] },
    { accessToken: [], user: [] },
  ]
  return access === 'try-user' ? [{}, { session: [] }] : signedIn
}
