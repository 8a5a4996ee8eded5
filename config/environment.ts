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

const nameValues = (description: string) =>
  Type.String({ default: '', format: 'name-values', description })

export const environmentSchema = Type.Object({
  PORT: port('PORT', 3000, 'TCP port; 0 picks a free one and logs it.'),
  HOST: Type.String({ default: '0.0.0.0', description: 'Address to listen on.' }),
  WORKERS: Type.String({
    default: '1',
    format: 'worker-count',
    description:
      'Processes that serve PORT together, on PostgreSQL; auto or 0: one per core (1 on SQLite). Each needs the memory of a whole gateway and up to 15 connections to the database.',
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
      'postgres://user:password@host/database; empty: SQLite in DATA_DIR. The role must be allowed to create tables, temporary ones too (TEMPORARY on the database).',
  }),
  REDIS_URL: Type.String({
    default: '',
    format: 'redis-url',
    description:
      'Redis for rate limits and cluster messages. Empty, or while Redis is away: each machine counts alone, for all its WORKERS, also wrong guesses at passwords and codes (n machines allow n times as many), and PostgreSQL carries the messages.',
  }),
  SECRET_KEY: Type.String({
    default: '',
    format: 'secret-key',
    description:
      'Master key of all secrets: at least 16 characters, or the content of a secret.key; empty: secret.key is created with mode 600 in DATA_DIR.',
  }),
  SSRF_ALLOW: Type.String({
    default: '',
    format: 'address-list',
    description: 'Private networks that URLs of users may reach: CIDR list, with commas.',
  }),
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) =>
      Type.Literal(level),
    ),
    { default: 'info', description: 'Lowest level of log lines that are written.' },
  ),
  BILLING_DURABILITY: Type.Union([Type.Literal('strict'), Type.Literal('relaxed')], {
    default: 'strict',
    description:
      'strict: an answer ends only after its charge is committed. relaxed: it does not wait.',
  }),
  LEDGER_ENTRY_DAYS: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 400,
    description:
      'Days after which the ledger entries of calls are replaced by one entry with their sum for each user and token; log rows and their receipts stay. 0: every entry is kept forever, 160 bytes per call.',
  }),
  PLUGIN_DIRS: Type.String({
    default: '',
    description: 'Folders of external plugins, or folders that contain them, separated like PATH.',
  }),
  PLUGIN_LOAD_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 600,
    default: 10,
    description:
      "Seconds for each part of a plugin's load (import, start, routes), and for a pause in its migrations; a plugin that takes longer is left out. Time in which other work blocks the process does not count, and what comes with the gateway gets six times as long.",
  }),
  TRUSTED_PROXIES: Type.String({
    default: '',
    format: 'address-list',
    description: 'CIDR list of proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted.',
  }),
  METRICS_TOKEN: Type.String({
    default: '',
    format: 'header-value',
    description: 'Bearer token for /metrics; empty: /metrics does not exist on PORT.',
  }),
  METRICS_PORT: port(
    'METRICS_PORT',
    0,
    'TCP port of 127.0.0.1 that serves /metrics of all WORKERS without a token, to scrapers on this machine; 0: none.',
  ),
  SETUP_TOKEN: Type.String({
    default: '',
    description: 'When set, POST /api/setup requires it as setup_token.',
  }),
  OPTION_MIN_ROLE: Type.Union([Type.Literal(10), Type.Literal(100)], {
    default: 10,
    description: 'Lowest role that may read and write options: 10 admins, 100 the super admin.',
  }),
  UPDATE_CHECK_URL: Type.String({
    default: '',
    format: 'web-url',
    description: 'Address of a document with the latest release; empty: no check for updates.',
  }),
  GENERATE_DEFAULT_TOKEN: Type.Boolean({
    default: false,
    description: 'Creates a first API token for each new user at registration.',
  }),
  NOTIFY_LIMIT_COUNT: Type.Integer({
    minimum: 1,
    maximum: LARGEST_COUNT,
    default: 2,
    description: 'Notifications per user and kind within NOTIFICATION_LIMIT_DURATION_MINUTE.',
  }),
  NOTIFICATION_LIMIT_DURATION_MINUTE: Type.Integer({
    minimum: 1,
    maximum: LARGEST_COUNT,
    default: 10,
    description: 'Window of NOTIFY_LIMIT_COUNT, in minutes.',
  }),
  GLOBAL_API_RATE_LIMIT_ENABLE: Type.Boolean({
    default: true,
    description: 'Limits calls of /api per client address.',
  }),
  GLOBAL_API_RATE_LIMIT: Type.Integer({
    minimum: 1,
    maximum: LARGEST_COUNT,
    default: 180,
    description: 'Calls of /api per client address within GLOBAL_API_RATE_LIMIT_DURATION.',
  }),
  GLOBAL_API_RATE_LIMIT_DURATION: Type.Integer({
    minimum: 1,
    maximum: 1200,
    default: 180,
    description: 'Window of GLOBAL_API_RATE_LIMIT, in seconds.',
  }),
  GLOBAL_WEB_RATE_LIMIT_ENABLE: Type.Boolean({
    default: true,
    description: 'Limits page loads per client address.',
  }),
  GLOBAL_WEB_RATE_LIMIT: Type.Integer({
    minimum: 1,
    maximum: LARGEST_COUNT,
    default: 60,
    description: 'Page loads per client address within GLOBAL_WEB_RATE_LIMIT_DURATION.',
  }),
  GLOBAL_WEB_RATE_LIMIT_DURATION: Type.Integer({
    minimum: 1,
    maximum: 1200,
    default: 180,
    description: 'Window of GLOBAL_WEB_RATE_LIMIT, in seconds.',
  }),
  CRITICAL_RATE_LIMIT_ENABLE: Type.Boolean({
    default: true,
    description: 'Limits sign-in, registration and similar calls per client address.',
  }),
  CRITICAL_RATE_LIMIT: Type.Integer({
    minimum: 1,
    maximum: LARGEST_COUNT,
    default: 20,
    description: 'Sign-ins and the like per client address in CRITICAL_RATE_LIMIT_DURATION.',
  }),
  CRITICAL_RATE_LIMIT_DURATION: Type.Integer({
    minimum: 1,
    maximum: 1200,
    default: 1200,
    description: 'Window of CRITICAL_RATE_LIMIT, in seconds.',
  }),
  MAX_REQUEST_BODY_MB: Type.Integer({
    minimum: 0,
    maximum: 1024,
    default: 0,
    description:
      'Largest relay body after unpacking, in MiB. 0: 128, or what a process with little memory can hold: an eighth of what it has above 360 MiB, at least 8.',
  }),
  OPEN_BODIES_MB: Type.Integer({
    minimum: 0,
    maximum: 65_536,
    default: 0,
    description:
      'Total size, in MiB, of the bodies that one process is receiving or unpacking and of those above 128 KiB whose answer is still open; messages of WebSockets that have not come whole, and those of Responses sockets that wait for their turn, are among them. At least one body of the largest size is accepted, further ones are answered 503. One account, or one address where nobody is known yet, holds in bodies above 128 KiB at most as much as is left free, in smaller ones likewise, so that nobody shuts the others out; what is more is answered 429. Only a single body may be larger than that. A body takes three to eight times its size in memory. As much again is for answers above 1 MiB that are read as a whole and for files that clients name by URL, at least 128 MiB, or the largest body of a process with little memory. 0: an eighth of what a process has of the memory of the machine or container, divided among WORKERS, above 360 MiB, but at most a quarter of the heap of Node.js (--max-old-space-size).',
  }),
  OPEN_CALLS_MAX: Type.Integer({
    minimum: 0,
    maximum: LARGEST_COUNT,
    default: 0,
    description:
      'Calls that one process has open at a time, including those whose client has left while their answer is still read; a further one is answered 503 before its body is read. 0: one for each 512 KiB of memory of the machine or container, divided among WORKERS.',
  }),
  SLOW_BODY_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 3600,
    default: 30,
    description:
      'A body that arrives at less than 1 KiB per second for so many seconds is refused.',
  }),
  MAX_FILE_DOWNLOAD_MB: Type.Integer({
    minimum: 1,
    maximum: 512,
    default: 20,
    description: 'Largest file that a client may name by URL, in MiB; it has two minutes.',
  }),
  GEMINI_VISION_MAX_IMAGE_NUM: Type.Integer({
    minimum: -1,
    maximum: LARGEST_COUNT,
    default: 16,
    description: 'Images per message to Gemini; -1: no limit.',
  }),
  AZURE_DEFAULT_API_VERSION: Type.String({
    default: '2024-12-01-preview',
    format: 'azure-version',
    description: 'API version of Azure channels that name none.',
  }),
  COHERE_SAFETY_SETTING: Type.Union(
    ['NONE', 'CONTEXTUAL', 'STRICT', 'OFF'].map((mode) => Type.Literal(mode)),
    { default: 'NONE', description: 'safety_mode of all calls to Cohere; NONE: Cohere decides.' },
  ),
  FORCE_STREAM_OPTION: Type.Boolean({
    default: true,
    description: 'Asks upstreams for usage in streams even if the client did not.',
  }),
  GET_MEDIA_TOKEN: Type.Boolean({
    default: true,
    description: 'Where usage is missing, counts the tokens of an image by its size.',
  }),
  GET_MEDIA_TOKEN_NOT_STREAM: Type.Boolean({
    default: true,
    description: 'GET_MEDIA_TOKEN for calls that are not streamed.',
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
      'Seconds without a byte after which a stream is ended, and any answer whose client reads nothing.',
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
    description: 'Seconds for which an answer is read on after its client has left, for its usage.',
  }),
  DRAIN_BYTES: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 16_777_216,
    description: 'Bytes of an answer that are read on at most after its client has left.',
  }),
  SHUTDOWN_SECONDS: Type.Integer({
    minimum: 1,
    maximum: LONGEST_SECONDS,
    default: 30,
    description:
      'Seconds that open answers may still take after SIGTERM. Those still open then end with an error event and are charged for what was delivered.',
  }),
  REALTIME_MAX_SESSIONS: Type.Integer({
    minimum: 1,
    maximum: LARGEST_COUNT,
    default: 1000,
    description:
      'Realtime sessions that one process serves at a time, and as many Responses sockets; a further one is answered 503.',
  }),
  REALTIME_MAX_SESSIONS_PER_USER: Type.Integer({
    minimum: 1,
    maximum: LARGEST_COUNT,
    default: 20,
    description: 'The same of one user, and five times as many sockets; beyond it is 429.',
  }),
  TASK_POLL_SECONDS: Type.Integer({
    minimum: 1,
    maximum: LONGEST_SECONDS,
    default: 15,
    description: 'Seconds between polls of drawing and music tasks.',
  }),
  UPDATE_TASK: Type.Boolean({
    default: true,
    description: 'Polls drawing and music tasks on one of the nodes; set it alike on all.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.String({
    default: '',
    format: 'web-url',
    description:
      'Collector that accepts OpenTelemetry traces as protobuf over HTTP, without its path /v1/traces, often http://host:4318; empty: no traces, unless OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set.',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Type.String({
    default: '',
    format: 'web-url',
    description: 'Collector address with its path; replaces OTEL_EXPORTER_OTLP_ENDPOINT.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: nameValues(
    'Headers for the collector, name=value, separated by commas. This and all other OTEL_EXPORTER_OTLP_* variables (certificates, time-out, compression) follow the OpenTelemetry specification.',
  ),
  OTEL_SERVICE_NAME: Type.String({
    default: '',
    description: 'service.name of traces; empty: tollgate.',
  }),
  OTEL_RESOURCE_ATTRIBUTES: nameValues('Further attributes of traces: name=value,name=value.'),
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
        'Which calls are traced. With parentbased_, a client that sends traceparent decides for its calls: if you do not know your clients, choose one without.',
    },
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.String({
    default: '1',
    format: 'ratio',
    description: 'Share of calls that traceidratio traces, from 0 to 1.',
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
  const schemas: [string, TSchema][] = Object.entries(environmentSchema.properties)
  for (const [name, schema] of schemas) {
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
