// What a plugin is. `server` receives what it uses by name and nothing global.
import type { MonitoringService } from './monitoring.ts'
import type { TSchema } from '@sinclair/typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { AppError, Text } from './errors.ts'
import type { EventBus } from './events.ts'
import type { HttpClient } from './http-client.ts'
import type { TableImport } from './imports.ts'
import type { OptionAction } from './option-actions.ts'
import type { OptionDefinitions, OptionService } from './options.ts'
import type {
  AccountService,
  ChannelService,
  ClusterBus,
  DatabaseService,
  EnvironmentView,
  GuessService,
  LedgerService,
  LogRow,
  LogService,
  Logger,
  MailService,
  NotificationService,
  PricingService,
  RateLimitService,
  SecretService,
  TokenService,
  UsageLogService,
} from './services.ts'
import type { ClientDialect } from './client-dialect.ts'
import type { ResponseCache, RoutingPolicy } from './relay-points.ts'
import type { RelayHook } from './relay.ts'
import type { PaymentProvider } from './payment.ts'
import type { AuthProvider, SignInService } from './sign-in.ts'
import type { TaskPlatform, TaskService } from './task.ts'

export interface PluginDefinition {
  /** The folder's name; also the option group, locale namespace and log tag. */
  id: string
  version?: string
  /** One line for the plugins screen. */
  summary?: Text
  /** The range of the contract an external plugin was written for. */
  contract?: string
  /** Ids of plugins that must be on and are loaded first. */
  requires?: readonly string[]
  options?: OptionDefinitions
  /** Tables of its own; pending steps run before `server`, each in its own transaction. */
  migrations?: readonly Migration[]
  cliCommands?: readonly CliCommand[]
  /** For built-in plugins only: without it the super admin could be locked out, so the host never switches it off. */
  isEssential?: boolean
  /** Origins its screens load, frame or fetch; added to the content security policy. */
  origins?: {
    script?: readonly string[]
    frame?: readonly string[]
    connect?: readonly string[]
    image?: readonly string[]
  }
  /** What an external plugin may reach. It is shown to whoever switches the plugin on, and the host enforces it. What is left out is not limited,
   *  and that is shown too. */
  asks?: {
    /** Hosts that `http` and `fetch` may call: `api.example.com`, `*.example.com`, `127.0.0.1:8080`. */
    hosts?: readonly string[]
    /** The arguments of `server` that it uses. */
    services?: readonly (keyof PluginServices)[]
    /** What the addresses of its routes begin with: `/api/acme`. */
    routes?: readonly string[]
    /** Environment variables besides its own, `ACME_…`. */
    variables?: readonly string[]
  }
  /** The ES module of an external plugin's console part, relative to its folder. */
  consoleModule?: string
  /** May return a disposer. Everything added through the arguments is disposed by the host. */
  server?: (
    services: PluginServices,
  ) => void | (() => void | Promise<void>) | Promise<void | (() => void | Promise<void>)>
}

export interface Plugin extends Readonly<PluginDefinition> {
  readonly kind: 'plugin'
}

export function definePlugin(definition: PluginDefinition): Plugin {
  return Object.freeze({ kind: 'plugin' as const, ...definition })
}

/** A named list that plugins add to. Each entry has an owner; a second entry with the same id is refused, naming both owners. */
export interface Registry<T extends { id: string }> {
  add(entry: T): void
}

export interface StatusField {
  /** The field's name in `/api/status`. */
  id: string
  value(): unknown
}

/** A figure of `/metrics`: `tollgate_plugin_metric{plugin,metric}`. */
export interface Metric {
  /** Its label there, lower-case letters, digits and underscores. One that only grows ends in `_total`. */
  id: string
  /** Called with each request for the metrics: a figure of this process, from memory. */
  value(): number
}

export interface BotCheck {
  id: string
  isEnabled(): boolean
  /** @throws AppError */
  check(token: string, address: string): Promise<void>
}

export interface Notifier {
  /** The value of a user's setting `notify_type`: short. */
  id: string
  /** The name that users see; default: the id. */
  name?: Text
  send(message: {
    to: { userId: number; email?: string; webhookUrl?: string; webhookSecret?: string }
    /** The language of title, content and values. */
    language: 'en' | 'zh'
    kind: string
    title: string
    content: string
    values: string[]
  }): Promise<void>
}

export interface Job {
  id: string
  /** Milliseconds between starts, with jitter. */
  everyMs: number | (() => number)
  /** Runs on one node only (advisory lock). */
  isLeaderOnly?: boolean
  run(signal: AbortSignal): Promise<void>
  /** For a job that sums the usage log in the order of its ids, to keep figures that outlive the rows: reads rows up to this id, or some of them.
   *  Called on any node before these rows are deleted, even while `run` is running, and repeated as long as it makes progress. It has thirty
   *  seconds per call. @returns the id up to which it has read */
  readLog?(id: number, signal: AbortSignal): Promise<number>
}

export interface Migration {
  /** `<plugin>-0001-name`: the step is recorded under this id. Steps run in the order of the list. */
  id: string
  up(database: MigrationDatabase): Promise<void>
}

/** One transaction for a step and its record: a step that throws leaves nothing behind. */
export interface MigrationDatabase {
  dialect: DatabaseService['dialect']
  /** Prefix of the plugin's tables and indexes: `<plugin>__`, with `_` for `-`. */
  prefix: string
  /** Values as in DatabaseService. @throws Error if a table or index without the prefix would be created, altered or dropped */
  run(sql: string, values?: Record<string, unknown>): Promise<number>
  select<T extends object>(sql: string, values?: Record<string, unknown>): Promise<T[]>
}

/** `tollgate <plugin> <id>` */
export interface CliCommand {
  id: string
  /** One line of `tollgate help`. */
  summary: string
  /** Returns the exit code. The plugins that are on are loaded, nothing is served and no job runs. */
  run(
    args: readonly string[],
    services: PluginServices,
    print: (line: string) => void,
  ): number | Promise<number>
}

export interface RateLimiter {
  id: string
  /** Called after the key check, before the body is read; `done` is called when the answer has ended. Returns nothing for a call that it does not limit.
   *  @throws AppError 429 */
  admit(caller: {
    userId: number
    group: string
  }): Promise<{ done(isSuccess: boolean): void } | void> | undefined
}

export interface LogSink {
  id: string
  /** Gets each row of the usage log that this node has committed, including those of sessions that a killed node left, one at a time, while
   *  the plugin is on. It has five seconds per row. Rows are skipped when too many wait, and lost when the process is killed. */
  write(row: Readonly<LogRow>): void | Promise<void>
}

/** Fastify's app; the schemas of a route type the body, query and path of its handler. */
export type RouteApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** The arguments of `server`. A new capability for all plugins is a new name here, with a decision record. */
export interface PluginServices {
  /** Adds routes; every route under /api states `config.access`. Paths are absolute. */
  routes: { add(register: (app: RouteApp) => void | Promise<void>): void }
  options: OptionService
  accounts: AccountService
  tokens: TokenService
  channels: ChannelService
  pricing: PricingService
  ledger: LedgerService
  logs: LogService
  usageLog: UsageLogService
  /** Figures of all processes of the gateway. */
  monitoring: MonitoringService
  /** Drawing, music and video tasks, for screens that list them. */
  tasks: TaskService
  events: EventBus
  http: HttpClient
  /** Guarded `fetch`-like calls with trust "admin"; for addresses that users enter pass trust "user". */
  fetch: HttpClient['json']
  secrets: SecretService
  database: DatabaseService
  cluster: ClusterBus
  environment: EnvironmentView
  log: Logger
  mail: MailService
  notifications: NotificationService
  rateLimits: RateLimitService
  /** Limits guessing of secrets such as passwords and codes. */
  guesses: GuessService
  /** Ways to sign in besides the password; core owns the flow. */
  authProviders: Registry<AuthProvider>
  /** Ways to pay; core owns quote, order and credit. */
  paymentProviders: Registry<PaymentProvider>
  /** For plugins that recognise a user themselves. */
  signIn: SignInService
  botChecks: Registry<BotCheck>
  notifiers: Registry<Notifier>
  rateLimiters: Registry<RateLimiter>
  logSinks: Registry<LogSink>
  relayHooks: Registry<RelayHook>
  /** Answers to questions that were asked before; core makes the keys, replays and charges. */
  responseCaches: Registry<ResponseCache>
  /** Which of several channels serves a call. */
  routingPolicies: Registry<RoutingPolicy>
  /** Client APIs besides those that the gateway serves itself. */
  dialects: Registry<ClientDialect>
  taskPlatforms: Registry<TaskPlatform>
  statusFields: Registry<StatusField>
  metrics: Registry<Metric>
  jobs: Registry<Job>
  /** Tables of another gateway's database that become rows of the plugin with `tollgate import`. */
  imports: Registry<TableImport>
  /** Buttons of the settings page that try the values in the form. */
  optionActions: Registry<OptionAction>
  /** Declared errors with their own /api status (default 200 with success false). */
  errors: { sendAs(code: AppError['code'], status: number): void }
}

export type { TSchema }
