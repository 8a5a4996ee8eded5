// What an external plugin asks for, according to its manifest: shown before it is switched on, and confirmed by somebody.
import { createHash } from 'node:crypto'
import type { Adapter } from '../../contract/adapter.ts'
import type { Plugin } from '../../contract/plugin.ts'

/** `<kind>:<name>`, sorted. The name `*` means everything of that kind, for manifests that do not say which. */
export type AskList = readonly string[]

/** Stored for plugins that were on before confirmations existed. */
const everything = '*'

/** Services that every plugin gets; they give no access to anything of others. */
const harmless: ReadonlySet<string> = new Set(['log', 'errors', 'options', 'environment'])

/** The prefix of a plugin's tables: `acme_pay__` for `acme-pay`. */
export function tablePrefixOf(id: string): string {
  return `${id.replaceAll('-', '_')}__`
}

export function asksOf(manifest: Adapter | Plugin): AskList {
  const asks = manifest.kind === 'adapter' ? ofAdapter(manifest) : ofPlugin(manifest)
  return [...new Set(asks)].sort()
}

/** An adapter sees the keys and requests of its channels. */
function ofAdapter({ channelTypes }: Adapter): string[] {
  return Object.values(channelTypes).map(
    (type) => `channel:${typeof type === 'string' ? type : type.name}`,
  )
}

function ofPlugin(plugin: Plugin): string[] {
  const { id, migrations = [], origins = {}, cliCommands = [], consoleModule } = plugin
  const named = (kind: string, names: readonly string[]) => names.map((name) => `${kind}:${name}`)
  return [
    ...ofServer(plugin),
    ...named('secret', secretsOf(plugin)),
    ...named('table', migrations.length > 0 ? [tablePrefixOf(id)] : []),
    ...named('origin', Object.values(origins).flat()),
    ...named('console', consoleModule === undefined ? [] : [everything]),
    ...named(
      'command',
      cliCommands.map((command) => command.id),
    ),
  ]
}

function ofServer({ server, cliCommands = [], asks = {} }: Plugin): string[] {
  const variables = (asks.variables ?? []).map((name) => `variable:${name}`)
  if (!server && cliCommands.length === 0) return variables
  const services = asks.services ?? [everything]
  const has = (...names: string[]) =>
    [everything, ...names].some((name) => services.some((service) => service === name))
  return [
    ...variables,
    ...services.filter((name) => !harmless.has(name)).map((name) => `service:${name}`),
    ...(has('routes') ? (asks.routes ?? [everything]).map((route) => `route:${route}`) : []),
    ...(has('http', 'fetch') ? (asks.hosts ?? [everything]).map((host) => `host:${host}`) : []),
  ]
}

/** Names of the options that it declares as secret. */
export function secretsOf({ options }: Pick<Plugin, 'options'>): string[] {
  return Object.entries(options?.schema.properties ?? {})
    .filter(([, schema]) => (schema['x-ui'] as { secret?: boolean } | undefined)?.secret)
    .map(([key]) => key)
}

/** What is asked for and was not confirmed yet. */
export function moreThan(asks: AskList, confirmed: AskList): AskList {
  const known = new Set(confirmed)
  if (known.has(everything)) return []
  return asks.filter(
    (ask) => !known.has(ask) && !known.has(`${ask.split(':', 1)[0]}:${everything}`),
  )
}

/** Sent back by the person who confirms, to show which list was read. */
export function hashOf(asks: AskList): string {
  return createHash('sha256').update(asks.join('\n')).digest('hex').slice(0, 32)
}
