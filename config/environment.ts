// Every environment variable of the gateway: schema, default, meaning. Read once, at boot; nothing else reads process.env.
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { expectationOf } from './value-formats.ts'

/** Timers hold a 32-bit count of milliseconds; a longer one would end at once. */
const LONGEST_SECONDS = 2_147_483
const LARGEST_COUNT = 1_000_000_000

const port = (name: string, fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 65_535, default: fallback, description, title: name })

/** An address that is fixed everywhere but behind a mirror and in tests. */
const mirror = (address: string, what: string) =>
  Type.String({ default: address, format: 'web-url', description: `Address of ${what}.` })

export const environmentSchema = Type.Object({
  PORT: port('PORT', 3000, 'TCP port; 0 takes a free one and logs it.'),
  HOST: Type.String({ default: '0.0.0.0', description: 'Address to listen on.' }),
  WORKERS: Type.String({
    default: '1',
    format: 'worker-count',
    description:
      'Processes that serve PORT together, on PostgreSQL; auto or 0: as many as there are cores (1 on SQLite, which one process serves). Each has the memory of a gateway and up to 13 connections to the database.',
  }),
  DATA_DIR: Type.String({
    default: './data',
    minLength: 1,
    description: 'Folder of the embedded database, the master key and installed plugins.',
  }),
  DATABASE_URL: Type.String({
    default: '',
    format: 'postgres-url',
    description:
      'postgres://user:password@host/database; empty: SQLite in DATA_DIR. The role makes tables, temporary ones too (TEMPORARY on the database).',
  }),
  REDIS_URL: Type.String({
    default: '',
    format: 'redis-url',
    description:
      'Redis for rate limits and cluster messages; empty: each machine counts by itself, for all its WORKERS, wrong guesses at passwords and codes too (n nodes allow n times as many), and PostgreSQL carries the messages. While it is away, it is the same.',
  }),
  SECRET_KEY: Type.String({
    default: '',
    format: 'secret-key',
    description:
      'Master key of all secrets, at least 16 characters; empty: created with mode 600 in DATA_DIR.',
  }),
  SSRF_ALLOW: Type.String({
    default: '',
    format: 'address-list',
    description: 'CIDR list, separated by commas, that user-named URLs may reach.',
  }),
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) =>
      Type.Literal(level),
    ),
    { default: 'info', description: 'Least level of log lines.' },
  ),
  BILLING_DURABILITY: Type.Union([Type.Literal('strict'), Type.Literal('relaxed')], {
    default: 'strict',
    description:
      'strict: an answer ends only after its charge is committed. relaxed: without that wait.',
  }),
  LEDGER_ENTRY_DAYS: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 400,
    description:
      'Days after which the ledger entries of calls become one entry of their sum for each user and token; log rows and their receipts stay. 0: every entry is kept for ever, 160 bytes a call.',
  }),
  PLUGIN_DIRS: Type.String({
    default: '',
    description: 'Folders of external plugins, separated like PATH.',
  }),
  PLUGIN_LOAD_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 600,
    default: 10,
    description:
      "For each part of a plugin's load (import, start, routes) and for a pause in its migrations; one that takes longer is left out.",
  }),
  TRUSTED_PROXIES: Type.String({
    default: '',
    format: 'address-list',
    description: 'CIDR list of proxies whose X-Forwarded-For and -Proto are believed.',
  }),
  METRICS_TOKEN: Type.String({
    default: '',
    format: 'header-value',
    description: 'Bearer token for /metrics; empty: /metrics does not exist on PORT.',
  }),
  METRICS_PORT: port(
    'METRICS_PORT',
    0,
    'TCP port of 127.0.0.1 that serves /metrics without a token, to scrapers on this machine, of all WORKERS; 0: none.',
  ),
  SETUP_TOKEN: Type.String({
    default: '',
    description: 'When set, POST /api/setup wants it as setup_token.',
  }),
  OPTION_MIN_ROLE: Type.Union([Type.Literal(10), Type.Literal(100)], {
    default: 10,
    description: 'Least role that may read and write options: 10 admins, 100 the super admin.',
  }),
  UPDATE_CHECK_URL: Type.String({
    default: '',
    format: 'web-url',
    description: 'Address of the latest-release document; empty: that of the package.',
  }),
  GENERATE_DEFAULT_TOKEN: Type.Boolean({
    default: false,
    description: 'Makes a first API token at registration.',
  }),
  NOTIFY_LIMIT_COUNT: Type.Integer({
    minimum: 1,
    maximum: LARGEST_COUNT,
    default: 2,
    description: 'Notifications per user and kind in the window below.',
  }),
  NOTIFICATION_LIMIT_DURATION_MINUTE: Type.Integer({
    minimum: 1,
    maximum: LARGEST_COUNT,
    default: 10,
    description: 'That window, in minutes.',
  }),
  GLOBAL_API_RATE_LIMIT_ENABLE: Type.Boolean({
    default: true,
    description: 'Limits calls of /api per address.',
  }),
  GLOBAL_API_RATE_LIMIT: Type.Integer({
    minimum: 1,
    maximum: LARGEST_COUNT,
    default: 180,
    description: 'Calls of /api per address and window.',
  }),
  GLOBAL_API_RATE_LIMIT_DURATION: Type.Integer({
    minimum: 1,
    maximum: 1200,
    default: 180,
    description: 'That window, in seconds.',
  }),
  GLOBAL_WEB_RATE_LIMIT_ENABLE: Type.Boolean({
    default: true,
    description: 'Limits page loads per address.',
  }),
  GLOBAL_WEB_RATE_LIMIT: Type.Integer({
    minimum: 1,
    maximum: LARGEST_COUNT,
    default: 60,
    description: 'Page loads per address and window.',
  }),
  GLOBAL_WEB_RATE_LIMIT_DURATION: Type.Integer({
    minimum: 1,
    maximum: 1200,
    default: 180,
    description: 'That window, in seconds.',
  }),
  CRITICAL_RATE_LIMIT_ENABLE: Type.Boolean({
    default: true,
    description: 'Limits sign-in, registration and the like per address.',
  }),
  CRITICAL_RATE_LIMIT: Type.Integer({
    minimum: 1,
    maximum: LARGEST_COUNT,
    default: 20,
    description: 'Such calls per address and window.',
  }),
  CRITICAL_RATE_LIMIT_DURATION: Type.Integer({
    minimum: 1,
    maximum: 1200,
    default: 1200,
    description: 'That window, in seconds.',
  }),
  MAX_REQUEST_BODY_MB: Type.Integer({
    minimum: 1,
    maximum: 1024,
    default: 128,
    description: 'Largest relay body after unpacking, in MiB.',
  }),
  OPEN_BODIES_MB: Type.Integer({
    minimum: 0,
    maximum: 65_536,
    default: 0,
    description:
      'Bodies that one process is receiving or unpacking, and those of more than 128 KiB of calls whose answer is open, all together, in MiB, at least one of the largest size; more are answered 503. Each takes three to six times its size. 0: an eighth of the memory that the machine or container gives, divided among WORKERS.',
  }),
  OPEN_CALLS_MAX: Type.Integer({
    minimum: 0,
    maximum: LARGEST_COUNT,
    default: 0,
    description:
      'Calls that one process has open at a time, those included whose client has left while their answer is read on; a further one is answered 503 before its body is read. 0: one for each 512 KiB of the memory that the machine or container gives, divided among WORKERS.',
  }),
  SLOW_BODY_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 3600,
    default: 30,
    description:
      'Seconds after which a body is given up that brings less than 1 KiB a second for so long.',
  }),
  MAX_FILE_DOWNLOAD_MB: Type.Integer({
    minimum: 1,
    maximum: 512,
    default: 20,
    description: 'Largest file that a client may name by URL, in MiB.',
  }),
  GEMINI_VISION_MAX_IMAGE_NUM: Type.Integer({
    minimum: -1,
    maximum: LARGEST_COUNT,
    default: 16,
    description: 'Images per message to Gemini; -1: no limit.',
  }),
  AZURE_DEFAULT_API_VERSION: Type.String({
    default: '2024-12-01-preview',
    description: 'API version of Azure channels that name none.',
  }),
  COHERE_SAFETY_SETTING: Type.String({
    default: 'NONE',
    pattern: '^(NONE|CONTEXTUAL|STRICT|OFF)$',
    description: 'safety_mode of all calls to Cohere; NONE leaves it to Cohere.',
  }),
  FORCE_STREAM_OPTION: Type.Boolean({
    default: true,
    description: 'Asks upstreams for usage in streams also when the client did not.',
  }),
  GET_MEDIA_TOKEN: Type.Boolean({
    default: true,
    description: 'Counts image tokens by size where usage is missing.',
  }),
  GET_MEDIA_TOKEN_NOT_STREAM: Type.Boolean({
    default: true,
    description: 'The same for calls without stream.',
  }),
  ERROR_LOG_ENABLED: Type.Boolean({
    default: true,
    description: 'Writes a log row for each failed upstream attempt.',
  }),
  STREAMING_TIMEOUT: Type.Integer({
    minimum: 1,
    maximum: LONGEST_SECONDS,
    default: 300,
    description:
      'Seconds without a byte after which a stream is given up, and any answer of which its client takes nothing.',
  }),
  RELAY_TIMEOUT: Type.Integer({
    minimum: 0,
    maximum: LONGEST_SECONDS,
    default: 0,
    description: 'Seconds for all attempts of a call together; 0: no limit.',
  }),
  DRAIN_SECONDS: Type.Integer({
    minimum: 0,
    maximum: LONGEST_SECONDS,
    default: 60,
    description: 'How long an answer is read on after its client left.',
  }),
  DRAIN_BYTES: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 16_777_216,
    description: 'How many bytes of it at the most.',
  }),
  SHUTDOWN_SECONDS: Type.Integer({
    minimum: 1,
    maximum: LONGEST_SECONDS,
    default: 30,
    description:
      'How long open answers may take after SIGTERM. What is open then ends with an error event, and is charged for what was delivered.',
  }),
  REALTIME_MAX_SESSIONS: Type.Integer({
    minimum: 1,
    default: 1000,
    description:
      'Realtime sessions that one process serves at a time; a further one is answered 503.',
  }),
  REALTIME_MAX_SESSIONS_PER_USER: Type.Integer({
    minimum: 1,
    default: 20,
    description: 'Those of one user among them; a further one is answered 429.',
  }),
  TASK_POLL_SECONDS: Type.Integer({
    minimum: 1,
    maximum: LONGEST_SECONDS,
    default: 15,
    description: 'Seconds between polls of drawing and music tasks.',
  }),
  UPDATE_TASK: Type.Boolean({
    default: true,
    description: 'Polls drawing and music tasks; one node of many does it, so set it alike on all.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.String({
    default: '',
    format: 'web-url',
    description:
      'Collector that takes OpenTelemetry traces as protobuf over HTTP, without its path /v1/traces, often http://host:4318; empty: no traces, unless the next variable is set.',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Type.String({
    default: '',
    format: 'web-url',
    description: 'The same with its path, in place of it.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: Type.String({
    default: '',
    description:
      'Headers for the collector, name=value, separated by commas. This and all other OTEL_EXPORTER_OTLP_* (certificates, time-out, compression) are read as OpenTelemetry says.',
  }),
  OTEL_SERVICE_NAME: Type.String({
    default: '',
    description: 'service.name of traces; empty: tollgate.',
  }),
  OTEL_RESOURCE_ATTRIBUTES: Type.String({
    default: '',
    description: 'Further attributes of traces, name=value, separated by commas.',
  }),
  OTEL_TRACES_SAMPLER: Type.Union(
    [
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
      'always_on',
      'always_off',
      'traceidratio',
    ].map((name) => Type.Literal(name)),
    {
      default: 'parentbased_always_on',
      description:
        'Which calls are traced. With parentbased_ a client that sends traceparent decides for its calls: where clients are strangers, take one without.',
    },
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.String({
    default: '1',
    format: 'ratio',
    description: 'Share of the calls that traceidratio takes, from 0 to 1.',
  }),
  OTEL_SDK_DISABLED: Type.Boolean({
    default: false,
    description: 'Switches traces off, whatever else is set.',
  }),
  GITHUB_URL: mirror('https://github.com', 'GitHub'),
  GITHUB_API_URL: mirror('https://api.github.com', "GitHub's API"),
  LINUX_DO_URL: mirror('https://connect.linux.do', 'Linux DO Connect'),
  STRIPE_API_URL: mirror('https://api.stripe.com', "Stripe's API"),
  TURNSTILE_VERIFY_URL: mirror(
    'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    'the check of Turnstile tokens',
  ),
})

export type Environment = Static<typeof environmentSchema>

/** Reads and checks the environment.
 *  @throws Error with one sentence naming the variable */
export function readEnvironment(
  source: Record<string, string | undefined> = process.env,
): Environment {
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(environmentSchema.properties) as [
    string,
    TSchema,
  ][]) {
    const text = source[name]
    values[name] = text === undefined || text === '' ? schema.default : convert(text, schema)
    const fault = Value.Errors(schema, values[name]).First()
    if (fault)
      throw new Error(
        `${name} is wrong: ${expectation(schema, fault.message)} (${schema.description})`,
      )
  }
  return values as Environment
}

/** Any further variable, for plugins that document their own. */
export function readVariable(name: string): string | undefined {
  return process.env[name]
}

/** What the process has beside the gateway's own. */
export function foreignVariables(): Record<string, string> {
  const isForeign = ([name, value]: [string, string | undefined]) =>
    value !== undefined && !Object.hasOwn(environmentSchema.properties, name)
  return Object.fromEntries(Object.entries(process.env).filter(isForeign)) as Record<string, string>
}

function convert(text: string, schema: TSchema): unknown {
  if (schema.type === 'boolean')
    return { true: true, '1': true, false: false, '0': false }[text.toLowerCase()] ?? text
  if (schema.type === 'integer') return /^-?\d+$/.test(text) ? Number(text) : text
  const choices = schema.anyOf as { const: unknown }[] | undefined
  return choices?.find((choice) => String(choice.const) === text)?.const ?? text
}

function expectation(schema: TSchema, fallback: string): string {
  const words = expectationOf(schema.format)
  if (words) return words
  const choices = schema.anyOf as { const: unknown }[] | undefined
  if (choices) return `expected one of ${choices.map((choice) => String(choice.const)).join(', ')}`
  if (schema.type === 'boolean') return 'expected true or false'
  return fallback.charAt(0).toLowerCase() + fallback.slice(1)
}
