/** What the process was started with: config/environment.ts in the words of core, handed in by main.ts. */
export interface GatewaySettings {
  version: string
  port: number
  host: string
  /** Processes on the port. */
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
  /** For each part of a plugin's load. */
  pluginLoadMs: number
  trustedProxies: readonly string[]
  /** Empty: /metrics is closed on `port`. */
  metricsToken: string
  /** Of the loopback; 0: none. */
  metricsPort: number
  setupToken: string
  optionMinRole: number
  updateCheckUrl: string
  notifyLimitCount: number
  notifyLimitMinutes: number
  rateClasses: Record<'global-api' | 'global-web' | 'critical', RateClassSetting>
  /** Days after which entries of calls are carried forward; 0: never. */
  ledgerEntryDays: number
  relayBodyBytes: number
  /** Incomplete bodies: bytes of all together, and seconds until a slow one is refused. */
  bodies: { limitBytes: number; slowSeconds: number }
  /** Calls that are open at a time. */
  openCalls: number
  shutdownMs: number
  /** Realtime sessions of this process. */
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
    /** Counts pictures by their size where usage is missing. */
    readsImages: boolean
    readsImagesOfWholeAnswers: boolean
  }
  tasks: { pollSeconds: number; isPolling: boolean }
  /** Undefined: the environment names no collector. `ratio` of the samplers that have one. */
  traces: { sampler: string; ratio: number } | undefined
  /** Any further variable, for plugins that document their own. */
  readVariable(name: string): string | undefined
  /** Environment variables that are not the gateway's own: for programs that it starts, and for external plugins. */
  foreignVariables(): Record<string, string>
}

interface RateClassSetting {
  isEnabled: boolean
  limit: number
  windowSeconds: number
}
