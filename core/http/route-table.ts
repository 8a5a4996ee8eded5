import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import type { Access } from '../contract/http.ts'

/** One route of a generation, as shown in lists of who may call what. */
export interface RouteFacts {
  method: string
  /** As Fastify spells it: `:id` for a parameter, `*` for the rest. */
  path: string
  /** Undefined if access does not depend on a role: relay routes check a key, and the rest are the console's files. */
  access: Access | undefined
  /** The plugin that brought it, or core. */
  owner: string
  /** A relay route: it checks a key itself and answers errors in this dialect. */
  dialect: string | undefined
  /** What is checked of a request. */
  schema: FastifySchema | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route that was added after `keepRouteTable`. */
    routeTable: readonly RouteFacts[]
  }
}

/** Notes every route as it is added. Call before the first one: Fastify tells `onRoute` of later routes only. */
export function keepRouteTable(app: FastifyInstance): void {
  const noted: RouteOptions[] = []
  app.decorate('routeTable', { getter: () => noted.flatMap(factsOf) })
  app.addHook('onRoute', (route) => void noted.push(route))
}

// Called only after all routes were added: the hook that names the owner belongs to an inner context and runs after `onRoute` above.
function factsOf({ method, url, config, schema }: RouteOptions): RouteFacts[] {
  const { access, owner = 'core', relay } = config ?? {}
  const facts = { path: url, access, owner, dialect: relay?.dialect, schema }
  return [method].flat().map((name) => ({ method: name, ...facts }))
}
