// Checks the form of entries that plugins add to the registries. External code was not type-checked, and a wrong entry
// must fail when it is added, not when it is used.
import { isObject } from '../../contract/json.ts'
import { isShare } from './guard-relay-points.ts'
import { isWords } from '../check-values.ts'

type Rule = 'function' | 'words' | ((value: unknown) => boolean)
type Rules = Readonly<Record<string, Rule>>

const oneOf =
  (...words: readonly string[]): Rule =>
  (value) =>
    words.includes(value as string)
const optional =
  (rule: (value: unknown) => boolean): Rule =>
  (value) =>
    value === undefined || rule(value)

const MAX_DEADLINE_MS = 60_000
const MAX_KEPT_CHARS = 16_777_216

const isDeadline = (value: unknown) =>
  typeof value === 'number' && value > 0 && value <= MAX_DEADLINE_MS
/** The form that a user's setting can store. */
const isNotifyType = (id: unknown) => typeof id === 'string' && /^[a-z][a-z0-9-]{0,31}$/.test(id)
const isText = (value: unknown) => typeof value === 'string' && value.length <= 200
const isHeaderName = (value: unknown) => isText(value) && /^[a-z0-9-]+$/.test(value as string)
const isDialectRoute = (route: unknown) => isObject(route) && typeof route['path'] === 'string'
const isFunction = (value: unknown) => typeof value === 'function'
const isFlag = (value: unknown) => typeof value === 'boolean'
const isIssuer = (value: unknown) =>
  isObject(value) &&
  isFunction(value['configured']) &&
  (value['current'] === undefined || isFunction(value['current']))
const isSize = (value: unknown) => typeof value === 'number' && value > 0 && value <= MAX_KEPT_CHARS
/** What a hook of a stage does. */
const hookWork: ReadonlyMap<string, 'run' | 'open'> = new Map([
  ['relay.admit', 'run'],
  ['relay.send', 'run'],
  ['relay.answer', 'run'],
  ['relay.request', 'run'],
  ['relay.text', 'open'],
  ['relay.event', 'open'],
  ['relay.observe', 'run'],
])
/** The name of a table as gateways have them. */
const isTable = (id: unknown) => typeof id === 'string' && /^[a-z][a-z0-9_]{0,62}$/.test(id)
const isPeriod = (value: unknown) =>
  typeof value === 'function' || (typeof value === 'number' && value >= 0)
const isRoute = (route: unknown) =>
  isObject(route) &&
  typeof route['kind'] === 'string' &&
  Array.isArray(route['paths']) &&
  route['paths'].every((path) => typeof path === 'string' && path.startsWith('/'))
const isPolling = (value: unknown) =>
  isObject(value) &&
  isFunction(value['request']) &&
  isFunction(value['read']) &&
  isSize(value['idsPerCall']) &&
  Number.isFinite(value['lifetimeMs'])
const isRoutes = (value: unknown) => Array.isArray(value) && value.every(isRoute)

const isInput = (value: unknown) =>
  isObject(value) &&
  isWords(value['label']) &&
  (value['placeholder'] === undefined || isWords(value['placeholder']))
const isKeys = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every((key) => typeof key === 'string')

/** Names of core's own fields; a plugin must not replace, e.g., the name of the site. */
const ownStatusFields: ReadonlySet<string> = new Set(
  (
    'version start_time system_name logo footer_html server_address docs_link monitor_link token_query_link release_url ' +
    'register_enabled quota_per_unit display_in_currency default_collapse_sidebar demo_site_enabled self_use_mode_enabled ' +
    'default_use_auto_group enable_batch_update shared_rate_limits option_min_role price min_topup enable_online_topup sign_in_methods'
  ).split(' '),
)
const isMetric = (id: unknown) => typeof id === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(id)
const isStatusField = (id: unknown) => isMetric(id) && !ownStatusFields.has(id as string)

/** By the name of the registry. */
const points = {
  'auth provider': {
    kind: oneOf('redirect', 'direct'),
    name: 'words',
    isEnabled: 'function',
    identify: 'function',
    authorizeUrl: optional(isFunction),
    issuer: optional(isIssuer),
    codeParameter: optional(isText),
    usernamePrefix: optional(isText),
    createsAccounts: optional(isFlag),
    bindsByNavigation: optional(isFlag),
  },
  'payment provider': {
    methods: 'function',
    currency: 'function',
    merchant: 'function',
    start: 'function',
    readNotice: 'function',
    answerNotice: 'function',
  },
  'bot check': { isEnabled: 'function', check: 'function' },
  notifier: { id: isNotifyType, name: optional(isWords), send: 'function' },
  'rate limiter': { admit: 'function' },
  'log sink': { write: 'function' },
  'relay hook': {
    stage: (stage) => typeof stage === 'string' && hookWork.has(stage),
    onFailure: oneOf('open', 'closed'),
    deadlineMs: optional(isDeadline),
    order: optional(Number.isFinite),
    applies: optional(isFunction),
    maxChars: optional(isSize),
  },
  'response cache': {
    scope: oneOf('token', 'user', 'everyone'),
    priceShare: (value) => isFunction(value) || isShare(value),
    order: optional(Number.isFinite),
    deadlineMs: optional(isDeadline),
    maxChars: optional(isSize),
    applies: 'function',
    lookup: 'function',
    store: 'function',
  },
  dialect: {
    routes: (value) => Array.isArray(value) && value.length > 0 && value.every(isDialectRoute),
    keyHeader: optional(isHeaderName),
    streamType: optional(isText),
    ping: optional(isText),
    parseRequest: 'function',
    writeAnswer: 'function',
    streamWriter: 'function',
    writeError: 'function',
    streamError: 'function',
  },
  'routing policy': { order: optional(Number.isFinite), applies: 'function', choose: 'function' },
  'task platform': {
    routes: isRoutes,
    writeError: 'function',
    defaultPrice: 'function',
    send: 'function',
    readAnswer: 'function',
    poll: isPolling,
    show: 'function',
  },
  metric: { id: isMetric, value: 'function' },
  'status field': { id: isStatusField, value: 'function' },
  job: { everyMs: isPeriod, run: 'function', readLog: optional(isFunction) },
  import: { id: isTable, take: 'function' },
  'option action': {
    label: 'words',
    hint: optional(isWords),
    options: isKeys,
    input: optional(isInput),
    run: 'function',
  },
  command: {},
} satisfies Record<string, Rules>

export type Point = keyof typeof points

/** @throws Error that names the point, the entry and the key */
export function checkEntry(point: Point, entry: unknown): void {
  if (!isObject(entry)) throw new Error(`a ${point} was added that is no object`)
  const { id } = entry
  if (typeof id !== 'string' || id === '' || id.length > 120)
    throw new Error(`a ${point} was added without an id`)
  for (const [key, rule] of Object.entries<Rule>(points[point])) {
    if (!holds(rule, entry[key])) throw new Error(`${point} "${id}" has no sound "${key}"`)
  }
  const work =
    point === 'relay hook' ? hookWork.get(entry['stage'] as string) : redirectWork(point, entry)
  if (work && !isFunction(entry[work])) throw new Error(`${point} "${id}" has no sound "${work}"`)
}

/** What a way to sign in by redirect does besides. */
function redirectWork(
  point: Point,
  { kind }: Readonly<Record<string, unknown>>,
): string | undefined {
  return point === 'auth provider' && kind === 'redirect' ? 'authorizeUrl' : undefined
}

function holds(rule: Rule, value: unknown): boolean {
  if (typeof rule === 'function') return rule(value)
  if (rule === 'function') return isFunction(value)
  return isWords(value)
}
