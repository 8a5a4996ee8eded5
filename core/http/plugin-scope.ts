// Adds routes of core and of plugins to an app. Faults of a plugin's routes are blamed on the plugin, at once or when
// the app becomes ready.
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
} from 'fastify'
import type { TSchema } from '@sinclair/typebox'
import type { RouteContribution } from '../kernel/contributions.ts'
import { runAs } from '../kernel/plugin-context.ts'
import { PluginFault } from '../kernel/plugin-fault.ts'
import { loadLimitMs, withOwnTime } from '../kernel/with-timeout.ts'
import { refuseBrokenHeaders } from './sendable-headers.ts'
import { RouteConflicts } from './route-conflicts.ts'
import { compileAtOnce } from './validation.ts'

/** The most routes of one external plugin. Each makes the router slower, and delays the switch to the new generation. */
const MOST_ROUTES = 1_000

interface ScopeDeps {
  /** Ids of external plugins. */
  external: ReadonlySet<string>
  /** @throws Error if an external plugin adds a route that its manifest does not name */
  checkNamed(owner: string, url: string): void
  /** Time limit of a registration, and of work when the app becomes ready. */
  limitMs: number
  /** Patterns of the console's own pages. */
  pages: readonly string[]
}

export class PluginScopes {
  readonly #app: FastifyInstance
  readonly #deps: ScopeDeps
  readonly #conflicts: RouteConflicts
  /** Routes without a scope, which are core's own. Those of a scope are here only until its hook has run. */
  readonly #unclaimed = new Set<RouteOptions>()
  /** Numbers of routes of external plugins, by owner. */
  readonly #counts = new Map<string, number>()
  #fault: PluginFault | undefined

  constructor(app: FastifyInstance, deps: ScopeDeps) {
    this.#app = app
    this.#deps = deps
    this.#conflicts = new RouteConflicts(deps.pages)
    app.addHook('onRoute', (route) => void this.#unclaimed.add(route))
  }

  /** Each contribution gets a context of its own. @throws PluginFault */
  async add({ owner, register, isMade = false }: RouteContribution): Promise<void> {
    const limitMs = this.#limitOf(owner)
    const name = 'the registration of routes'
    try {
      const registering = this.#app.register(async (scope) => {
        scope.addHook('onRoute', (route) => this.#checkRoute(route, owner, isMade))
        if (owner !== 'core') this.#guardHooks(scope, owner)
        if (this.#deps.external.has(owner)) scope.setValidatorCompiler<TSchema>(compileAtOnce)
        await withOwnTime(limitMs, name, register(scope))
      })
      // What it registers within is waited for only here.
      await withOwnTime(2 * limitMs, name, registering)
    } catch (error) {
      throw owner === 'core' ? error : new PluginFault(owner, 'routes', error)
    }
  }

  #limitOf(owner: string): number {
    return loadLimitMs(this.#deps.limitMs, this.#deps.external.has(owner))
  }

  /** @throws PluginFault, what core itself throws */
  async ready(): Promise<void> {
    try {
      await this.#app.ready()
    } catch (error) {
      throw this.#fault ?? this.#ownerOfSchema(error) ?? error
    }
  }

  #checkRoute(route: RouteOptions, owner: string, isMade: boolean): void {
    const hasOpenStart = startsOpen(route.url)
    const methods = methodsOf(route.method)
    this.#unclaimed.delete(route)
    if (owner !== 'core' && !isMade) refusePluginRoute(route.url, route.config)
    if (this.#deps.external.has(owner)) {
      if (!isMade) this.#deps.checkNamed(owner, route.url)
      this.#refuseTooMany(owner, methods.length)
      this.#refuseConflicts(methods, route.url, owner)
    }
    this.#conflicts.note(methods, route.url, owner)
    route.config = { ...route.config, owner, hasOpenStart }
    // Runs after all others, including those of the plugin.
    if (owner !== 'core') route.onSend = [route.onSend ?? [], refuseBrokenHeaders].flat()
  }

  #refuseTooMany(owner: string, count: number): void {
    const routes = (this.#counts.get(owner) ?? 0) + count
    this.#counts.set(owner, routes)
    if (routes > MOST_ROUTES)
      throw new Error(
        `there are more than ${MOST_ROUTES} of them: one with a parameter, such as /api/${owner}/:id, stands for many`,
      )
  }

  #refuseConflicts(methods: readonly string[], url: string, owner: string): void {
    if (startsOpen(url)) throw new Error(`the route ${url} must begin with a fixed name`)
    for (const own of this.#unclaimed) this.#conflicts.note(methodsOf(own.method), own.url, 'core')
    this.#unclaimed.clear()
    this.#conflicts.refuse(methods, url, owner)
  }

  /** Failures of the hooks that a plugin adds to the app's lifecycle are blamed on it. Child contexts inherit this. */
  #guardHooks(scope: FastifyInstance, owner: string): void {
    const limitMs = this.#limitOf(owner)
    const note = (error: unknown) => {
      this.#fault ??= new PluginFault(owner, 'routes', error)
    }
    const add = scope.addHook as (...input: never[]) => unknown
    function addHook(this: FastifyInstance, name: string, hook: unknown): unknown {
      if ((name === 'onSend' || name === 'preSerialization') && typeof hook === 'function')
        return Reflect.apply(add, this, [name, onceFailing(hook as AnswerHook)])
      if ((name !== 'onReady' && name !== 'onClose') || typeof hook !== 'function')
        return Reflect.apply(add, this, [name, hook])
      const guarded = async () => {
        const work = () => withOwnTime(limitMs, name, called(hook as Hook, this))
        try {
          await runAs(owner, work)
        } catch (error) {
          if (name === 'onClose') return
          note(error)
          throw error
        }
      }
      return Reflect.apply(add, this, [name, guarded])
    }
    Object.assign(scope, { addHook, close: notYours, ready: notYours, listen: notYours })
  }

  /** Fastify names the route whose schema it cannot use. */
  #ownerOfSchema(error: unknown): PluginFault | undefined {
    const message = error instanceof Error ? error.message : ''
    const [, method = '', url = ''] = /\b([A-Z]{3,10}):\s?(\/[^\s,]{0,1000})/.exec(message) ?? []
    const route = this.#app.routeTable.find((one) => one.method === method && one.path === url)
    if (!route || route.owner === 'core') return undefined
    return new PluginFault(route.owner, 'routes', error)
  }
}

/** The app is shared, so a plugin must not close it. */
function notYours(): never {
  throw new Error('the life of the app is no business of a plugin: close(), ready() and listen()')
}

type AnswerHook = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done?: (error?: unknown, payload?: unknown) => void,
) => unknown

/** Keeps a hook that failed from seeing the error answer: if it failed again, Fastify would answer in its own form. */
function onceFailing(hook: AnswerHook) {
  const failed = new WeakSet<FastifyRequest>()
  return async function guarded(
    this: FastifyInstance,
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
  ): Promise<unknown> {
    if (failed.has(request)) return payload
    try {
      if (hook.length < 4) return await hook.call(this, request, reply, payload)
      return await new Promise((resolve, reject) => {
        void hook.call(this, request, reply, payload, (error, changed) =>
          error ? reject(error) : resolve(changed),
        )
      })
    } catch (error) {
      failed.add(request)
      throw error
    }
  }
}

type Hook = (first?: unknown, second?: unknown) => unknown

/** Calls a hook that either returns a promise or takes a callback. */
function called(hook: Hook, app: FastifyInstance): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const done = (error?: unknown) => (error ? reject(error) : resolve(undefined))
    const takesApp = hook.length > 1
    const result = takesApp
      ? hook.call(app, app, done)
      : hook.call(app, hook.length === 1 ? done : undefined)
    if (result instanceof Promise) result.then(resolve, reject)
    else if (hook.length === 0) resolve(result)
  })
}

function methodsOf(method: RouteOptions['method']): readonly string[] {
  return [method].flat()
}

/** The access is stated in the config of the route itself, so that no other spelling of the address can bypass it.
 *  @throws if a plugin's route is open to everybody without saying so */
function refusePluginRoute(url: string, config: FastifyContextConfig | undefined): void {
  if (config?.access === undefined)
    throw new Error(`the route ${url} does not state its access (config.access)`)
}

/** A path such as `/:mode/mj/…`, which any first name matches. */
function startsOpen(url: string): boolean {
  return /^\/?[:*]/.test(url)
}
