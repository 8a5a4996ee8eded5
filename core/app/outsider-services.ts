// The services for external plugins, restricted where that is cheap. This is not a sandbox: the plugin's code runs in
// this process (see docs/plugin-installs.md).
import type { HttpClient, HttpOptions } from '../contract/http-client.ts'
import type { OptionService } from '../contract/options.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { DatabaseService, EnvironmentView, Slices } from '../contract/services.ts'
import { refuseForeignWrites } from '../data/refuse-foreign-writes.ts'
import { tablePrefixOf } from '../kernel/manifest/asks.ts'
import type { SharedServices } from '../kernel/contributions.ts'
import { limitedClient } from '../net/limited-client.ts'

/** How long a body that the plugin has asked for may wait for it. */
const UNREAD_MS = 60_000

/** @param foreignVariables environment variables that are not the gateway's own */
export function narrowed(
  plugin: Plugin,
  shared: SharedServices,
  foreignVariables: () => Readonly<Record<string, string>>,
): SharedServices {
  const { hosts } = plugin.asks ?? {}
  const own = attended(shared.http)
  const http = hosts ? limitedClient(own, hosts) : own
  return {
    ...shared,
    http,
    fetch: http.json,
    database: ownTables(shared.database, tablePrefixOf(plugin.id)),
    environment: ownVariables(plugin, shared.environment, foreignVariables),
    options: ownSecrets(plugin, shared.options),
  }
}

/** Ends answers that the plugin leaves unread: their connections would stay for ever. */
function attended(http: HttpClient): HttpClient {
  const inTime = <T extends HttpOptions>(options?: T) => ({
    unreadTimeoutMs: UNREAD_MS,
    ...options,
  })
  return {
    request: async (input, options) => http.request(input, inTime(options)),
    json: async (input, options) => http.json(input, inTime(options)),
    webSocket: async (url, options) => http.webSocket(url, options),
  }
}

/** Lets the plugin read all tables, and write those with its prefix. */
function ownTables(database: DatabaseService, prefix: string): DatabaseService {
  const { dialect, transaction, isUniqueViolation, ping } = database
  return {
    dialect,
    transaction,
    isUniqueViolation,
    ping,
    select: async (sql, values, inside) => {
      refuseForeignWrites(sql, prefix)
      return database.select(sql, values, inside)
    },
    run: async (sql, values, inside) => {
      refuseForeignWrites(sql, prefix)
      return database.run(sql, values, inside)
    },
    slices: (limits) => ownSlices(database.slices(limits), prefix),
    get sequelize(): DatabaseService['sequelize'] {
      throw new Error('a plugin from outside has select, run and transaction, and no sequelize')
    },
  }
}

function ownSlices(slices: Slices, prefix: string): Slices {
  return {
    get rows() {
      return slices.rows
    },
    take: (work) =>
      slices.take(({ dialect, select, run }) =>
        work({
          dialect,
          select: async (sql, values) => {
            refuseForeignWrites(sql, prefix)
            return select(sql, values)
          },
          run: async (sql, values) => {
            refuseForeignWrites(sql, prefix)
            return run(sql, values)
          },
        }),
      ),
  }
}

/** Variables whose names begin with the plugin's id in capitals are its own; it must name others in its manifest. The
 *  gateway's variables are closed to all plugins. */
function ownVariables(
  { id, asks }: Plugin,
  environment: EnvironmentView,
  foreignVariables: () => Readonly<Record<string, string>>,
): EnvironmentView {
  const start = `${id.replaceAll('-', '_').toUpperCase()}_`
  return {
    ...environment,
    setupToken: '',
    read: (name) => {
      if (!name.startsWith(start) && !asks?.variables?.includes(name))
        throw new Error(
          `the variable ${name} neither begins with ${start} nor stands under asks.variables in the manifest`,
        )
      const variables = foreignVariables()
      return Object.hasOwn(variables, name) ? variables[name] : undefined
    },
  }
}

/** Lets the plugin read all options except the secrets of others, and write its own. */
function ownSecrets({ options: own }: Plugin, options: OptionService): OptionService {
  const isOwn = (key: string) => Object.hasOwn(own?.schema.properties ?? {}, key)
  const isSecret = (key: string) =>
    (options.schemaOf(key)?.['x-ui'] as { secret?: boolean } | undefined)?.secret === true
  const refuseForeign = (keys: readonly string[]) => {
    const foreign = keys.find((key) => !isOwn(key))
    if (foreign !== undefined) throw new Error(`the option ${foreign} is another's to write`)
  }
  return {
    get: <T>(key: string) => {
      if (!isOwn(key) && isSecret(key)) throw new Error(`the option ${key} is a secret of another`)
      return options.get<T>(key)
    },
    set: async (key, value, actor) => {
      refuseForeign([key])
      await options.set(key, value, actor)
    },
    setMany: async (values, actor) => {
      refuseForeign(Object.keys(values))
      await options.setMany(values, actor)
    },
    list: options.list.bind(options),
    secretsSet: options.secretsSet.bind(options),
    schemaOf: options.schemaOf.bind(options),
    onChange: options.onChange.bind(options),
  }
}
