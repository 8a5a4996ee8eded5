// What a plugin asks for in its manifest: checked when the plugin is loaded, enforced while it runs.
import type { Plugin, PluginServices } from '../../contract/plugin.ts'

const MAX_NAMES = 64

const serviceNames: Readonly<Record<keyof PluginServices, true>> = {
  routes: true,
  options: true,
  optionActions: true,
  accounts: true,
  tokens: true,
  channels: true,
  pricing: true,
  ledger: true,
  logs: true,
  usageLog: true,
  monitoring: true,
  tasks: true,
  events: true,
  http: true,
  fetch: true,
  secrets: true,
  database: true,
  cluster: true,
  environment: true,
  log: true,
  mail: true,
  notifications: true,
  rateLimits: true,
  guesses: true,
  authProviders: true,
  paymentProviders: true,
  signIn: true,
  botChecks: true,
  notifiers: true,
  rateLimiters: true,
  logSinks: true,
  relayHooks: true,
  responseCaches: true,
  routingPolicies: true,
  dialects: true,
  taskPlatforms: true,
  statusFields: true,
  metrics: true,
  jobs: true,
  imports: true,
  errors: true,
}

interface Rule {
  isRight(value: string): boolean
  says: string
}

const rules: Readonly<Record<keyof NonNullable<Plugin['asks']>, Rule>> = {
  hosts: {
    isRight: (value) => /^(?:\*\.)?[a-z0-9.-]{1,253}(?::\d{1,5})?$/.test(value),
    says: 'a host such as api.example.com, *.example.com or 127.0.0.1:8080',
  },
  services: {
    isRight: (value) => Object.hasOwn(serviceNames, value),
    says: 'an argument of server',
  },
  routes: {
    isRight: (value) => /^(?:\/[\w.-]+){1,8}$/.test(value) && value !== '/api',
    says: 'the beginning of an address such as /api/acme',
  },
  variables: {
    isRight: (value) => /^[A-Z][A-Z0-9_]{0,63}$/.test(value),
    says: 'a variable such as ACME_REGION',
  },
}

/** @throws Error that names the key */
export function checkAsks({ asks = {} }: Plugin): void {
  for (const [key, list] of Object.entries<unknown>(asks)) {
    const rule = Object.hasOwn(rules, key) ? rules[key as keyof typeof rules] : undefined
    if (!rule) throw new Error(`key "asks.${key.slice(0, 40)}" is not known`)
    if (!Array.isArray(list) || list.length > MAX_NAMES)
      throw new Error(`key "asks.${key}" is no list of at most ${MAX_NAMES} names`)
    const wrong: unknown = list.find((name) => typeof name !== 'string' || !rule.isRight(name))
    if (wrong !== undefined)
      throw new Error(
        `key "asks.${key}" holds ${JSON.stringify(wrong)?.slice(0, 80)}, which is not ${rule.says}`,
      )
  }
}

/** The services that the plugin has named. Access to any other throws an error that says what to add to `asks`. */
export function onlyNamed(
  services: PluginServices,
  named: readonly (keyof PluginServices)[] | undefined,
): PluginServices {
  if (!named) return services
  const given = {}
  for (const name of Object.keys(serviceNames) as (keyof PluginServices)[]) {
    const isNamed = name === 'log' || name === 'errors' || named.includes(name)
    const unnamed = () => {
      throw new Error(`its manifest does not name "${name}" under asks.services`)
    }
    const property = { value: services[name], enumerable: true, writable: true, configurable: true }
    Object.defineProperty(given, name, isNamed ? property : { get: unnamed })
  }
  return given as PluginServices
}

/** @throws Error if the manifest does not name the route */
export function refuseUnnamedRoute(url: string, { asks }: Pick<Plugin, 'asks'>): void {
  const isNamed = asks?.routes?.some((start) => url === start || url.startsWith(`${start}/`))
  if (isNamed === false)
    throw new Error(
      `the route ${url} begins with nothing that its manifest names under asks.routes`,
    )
}
