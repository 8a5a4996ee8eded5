import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance } from 'fastify'
import type { JsonObject } from '#core'

type Route = FastifyInstance['routeTable'][number]

export interface DocumentFacts {
  title: string
  version: string
  /** Where programs reach the gateway; empty: where the document came from. */
  server: string
}

const envelope = {
  type: 'object',
  properties: {
    success: { type: 'boolean' },
    message: { type: 'string' },
    data: {},
    code: { type: 'string', description: 'Why it failed, for programs.' },
  },
  required: ['success', 'message'],
}

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

/** Makes the document of these routes, out of what the gateway checks of each. */
export async function openApiDocument(
  routes: readonly Route[],
  facts: DocumentFacts,
): Promise<JsonObject> {
  // An app of its own, which serves nothing: the document costs no generation anything until somebody asks for it.
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true }, exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => () => '')
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: facts.title, version: facts.version },
      ...(facts.server === '' ? {} : { servers: [{ url: facts.server }] }),
      components: { securitySchemes: schemes },
    },
  })
  for (const { method, path, access, owner, dialect, schema } of routes) {
    app.route({
      method,
      url: path,
      schema: described({ access, owner, dialect, schema }),
      handler: () => '',
    })
  }
  await app.ready()
  const document = app.swagger() as unknown as JsonObject
  await app.close()
  return document
}

function described({
  access,
  owner,
  dialect,
  schema,
}: Pick<Route, 'access' | 'owner' | 'dialect' | 'schema'>): object {
  const isRelay = dialect !== undefined && access === undefined
  return {
    ...schema,
    tags: [isRelay ? `relay: ${dialect}` : owner],
    security: securityOf(access, isRelay),
    response: isRelay
      ? { default: { description: 'An error in the form of the dialect.', ...relayError } }
      : { 200: { description: 'The envelope; `success` says whether it worked.', ...envelope } },
  }
}

function securityOf(access: Route['access'], isRelay: boolean): object[] {
  if (isRelay) return [{ token: [] }]
  if (access === undefined || access === 'public') return []
  if (access === 'session') return [{ session: [] }]
  const signedIn = [
    { session: [], user: [] },
    { accessToken: [], user: [] },
  ]
  return access === 'try-user' ? [{}, { session: [] }] : signedIn
}
