import type { RateClassName, RateClassSettings } from '../http/access/rate-classes.ts'

/** How the process was started: config/environment.ts in core's terms, passed in by main.ts. */
export interface GatewaySettings {
  version: string
  port: number
  host: string
  /** The number of processes on the port. */
  workers: number
  dataDir: string
  /** Empty: SQLite in `dataDir`. */
  databaseUrl: string
  redisUrl: string
  secretKey: string
  ssrfAllow: readonly string[]
  logLevel: string
  pluginDirs: readonly string[]
  offAtFirstStart: readonly string[]
  /** External plugins are not loaded (`--safe`). */
  isSafe: boolean
  /** Time limit for each part of loading a plugin. */
  pluginLoadMs: number
  trustedProxies: readonly string[]
  /** Empty: `port` serves no /metrics. */
  metricsToken: string
  /** Port on the loopback interface; 0: none. */
  metricsPort: number
  setupToken: string
  optionMinRole: number
  updateCheckUrl: string
  notifyLimitCount: number
  notifyLimitMinutes: number
  rateClasses: Record<RateClassName, RateClassSettings>
  /** Days after which ledger entries of calls are summed up; 0: never. */
  ledgerEntryDays: number
  relayBodyBytes: number
  /** Limits of incomplete bodies: bytes of all together, and seconds until a slow one is refused. */
  bodies: { limitBytes: number; slowSeconds: number }
  /** The most bytes of answers that are read as a whole at a time. */
  answerBytes: number
  /** The most calls that may be open at a time. */
  openCalls: number
  /** What each process may take of the memory of the machine or container. */
  memoryBytes: number
  shutdownMs: number
  /** The most realtime sessions of this process. */
  realtime: { all: number; perUser: number }
  relay: {
    isStrict: boolean
    logsErrors: boolean
    streamingTimeoutMs: number
    relayTimeoutMs: number
    drainMs: number
    drainBytes: number
    maxFileBytes: number
    forceStreamUsage: boolean
    /** Whether pictures are counted by their size if the upstream reports no usage. */
    readsImages: boolean
    readsImagesOfWholeAnswers: boolean
  }
  tasks: { pollSeconds: number; isPolling: boolean }
  /** Undefined if the environment names no collector. `ratio` is for samplers that use one. */
  traces: { sampler: string; ratio: number } | undefined
  /** Reads any other variable, for plugins that document their own. */
  readVariable(name: string): string | undefined
  /** All environment variables that are not the gateway's own, for programs that it starts and for external plugins. */
  foreignVariables(): Record<string, string>
}
