// From environment variables to the words of core: lists split, units in names.
import { availableParallelism, totalmem } from 'node:os'
import { delimiter } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import type { GatewaySettings } from '#core'
import { foreignVariables, readVariable, type Environment } from './environment.ts'
import { offAtFirstStart } from './plugins.ts'

const MIB = 1_048_576
/** Four times what an open stream takes: the rest is for bodies, answers and what else runs on the machine. */
const MEMORY_PER_CALL = MIB / 2
/** What a body or an answer may take at the most, and what a process takes under load without any: a body that is converted is there once as it came and
 *  once as it goes, and three times as text, which takes two bytes for each letter where a single one is beyond U+00FF. */
const TIMES_IN_MEMORY = 8
const MEMORY_OF_ALL_ELSE = 360 * MIB
/** The largest body or answer by default, wherever there is memory, and where there is little: a conversation with some pictures. */
const LARGEST = 128 * MIB
const LARGEST_OF_LITTLE = 8 * MIB
/** Up to four times its size of that is in V8's heap, which ends the process where it is full, however much memory there is. */
const HEAP_SHARE = 1 / 4
/** Code, caches and the young generation. */
const HEAP_OF_ALL_ELSE = 256 * MIB

export function settingsOf(environment: Environment, version: string): GatewaySettings {
  const workers = workersOf(environment)
  refuseOnePort(environment)
  return {
    version,
    port: environment.PORT,
    host: environment.HOST,
    workers,
    dataDir: environment.DATA_DIR,
    databaseUrl: environment.DATABASE_URL,
    redisUrl: environment.REDIS_URL,
    secretKey: environment.SECRET_KEY,
    ssrfAllow: listOf(environment.SSRF_ALLOW),
    logLevel: environment.LOG_LEVEL,
    pluginDirs: environment.PLUGIN_DIRS.split(delimiter).filter(Boolean),
    offAtFirstStart,
    isSafe: false,
    pluginLoadMs: environment.PLUGIN_LOAD_SECONDS * 1000,
    trustedProxies: listOf(environment.TRUSTED_PROXIES),
    metricsToken: environment.METRICS_TOKEN,
    metricsPort: environment.METRICS_PORT,
    setupToken: environment.SETUP_TOKEN,
    optionMinRole: environment.OPTION_MIN_ROLE,
    updateCheckUrl: environment.UPDATE_CHECK_URL,
    notifyLimitCount: environment.NOTIFY_LIMIT_COUNT,
    notifyLimitMinutes: environment.NOTIFICATION_LIMIT_DURATION_MINUTE,
    rateClasses: rateClassesOf(environment),
    ledgerEntryDays: environment.LEDGER_ENTRY_DAYS,
    relayBodyBytes: largestBody(environment, workers),
    bodies: {
      limitBytes: bodiesThatFit(environment, workers),
      slowSeconds: environment.SLOW_BODY_SECONDS,
    },
    answerBytes: Math.max(bodiesThatFit(environment, workers), largestThatFits(workers)),
    openCalls: environment.OPEN_CALLS_MAX || callsThatFit(workers),
    memoryBytes: grantedMemory() / workers,
    shutdownMs: environment.SHUTDOWN_SECONDS * 1000,
    realtime: {
      all: environment.REALTIME_MAX_SESSIONS,
      perUser: environment.REALTIME_MAX_SESSIONS_PER_USER,
    },
    relay: relaySettingsOf(environment),
    tasks: { pollSeconds: environment.TASK_POLL_SECONDS, isPolling: environment.UPDATE_TASK },
    traces: tracesOf(environment),
    readVariable,
    foreignVariables,
  }
}

/** @throws Error naming both: the second to listen would blame another program */
function refuseOnePort({ PORT, METRICS_PORT }: Environment): void {
  if (METRICS_PORT > 0 && METRICS_PORT === PORT)
    throw new Error(`METRICS_PORT is wrong: ${METRICS_PORT} is PORT; it needs a port of its own`)
}

/** In one of as many processes as there are on the port. */
function callsThatFit(workers: number): number {
  return Math.floor(grantedMemory() / MEMORY_PER_CALL / workers)
}

/** In bytes; one body of the largest size must fit. */
function bodiesThatFit(environment: Environment, workers: number): number {
  const ofHeap = (getHeapStatistics().heap_size_limit - HEAP_OF_ALL_ELSE) * HEAP_SHARE
  const bound =
    environment.OPEN_BODIES_MB * MIB || Math.floor(Math.min(memoryForBodies(workers), ofHeap))
  return Math.max(bound, largestBody(environment, workers))
}

/** In bytes: a single body must not end the process, unless whoever runs it says that it may be that large. */
function largestBody({ MAX_REQUEST_BODY_MB }: Environment, workers: number): number {
  return MAX_REQUEST_BODY_MB * MIB || largestThatFits(workers)
}

function largestThatFits(workers: number): number {
  return Math.min(LARGEST, Math.max(LARGEST_OF_LITTLE, Math.floor(memoryForBodies(workers))))
}

function memoryForBodies(workers: number): number {
  return (grantedMemory() / workers - MEMORY_OF_ALL_ELSE) / TIMES_IN_MEMORY
}

function grantedMemory(): number {
  // 0 where nothing bounds the process, and on some systems a number beyond all memory.
  return Math.min(process.constrainedMemory() || Infinity, totalmem())
}

function workersOf({ WORKERS, DATABASE_URL }: Environment): number {
  if (WORKERS !== 'auto' && Number(WORKERS) > 0) return Number(WORKERS)
  return DATABASE_URL === '' ? 1 : availableParallelism()
}

/** The address itself is read by OpenTelemetry's exporter, which knows the rules of both variables. */
function tracesOf(environment: Environment): GatewaySettings['traces'] {
  const hasCollector =
    environment.OTEL_EXPORTER_OTLP_ENDPOINT !== '' ||
    environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== ''
  if (!hasCollector || environment.OTEL_SDK_DISABLED) return undefined
  return {
    sampler: environment.OTEL_TRACES_SAMPLER,
    ratio: Number(environment.OTEL_TRACES_SAMPLER_ARG),
  }
}

function rateClassesOf(environment: Environment): GatewaySettings['rateClasses'] {
  return {
    'global-api': {
      isEnabled: environment.GLOBAL_API_RATE_LIMIT_ENABLE,
      limit: environment.GLOBAL_API_RATE_LIMIT,
      windowSeconds: environment.GLOBAL_API_RATE_LIMIT_DURATION,
    },
    'global-web': {
      isEnabled: environment.GLOBAL_WEB_RATE_LIMIT_ENABLE,
      limit: environment.GLOBAL_WEB_RATE_LIMIT,
      windowSeconds: environment.GLOBAL_WEB_RATE_LIMIT_DURATION,
    },
    critical: {
      isEnabled: environment.CRITICAL_RATE_LIMIT_ENABLE,
      limit: environment.CRITICAL_RATE_LIMIT,
      windowSeconds: environment.CRITICAL_RATE_LIMIT_DURATION,
    },
  }
}

function relaySettingsOf(environment: Environment): GatewaySettings['relay'] {
  return {
    isStrict: environment.BILLING_DURABILITY === 'strict',
    logsErrors: environment.ERROR_LOG_ENABLED,
    streamingTimeoutMs: environment.STREAMING_TIMEOUT * 1000,
    relayTimeoutMs: environment.RELAY_TIMEOUT * 1000,
    drainMs: environment.DRAIN_SECONDS * 1000,
    drainBytes: environment.DRAIN_BYTES,
    maxFileBytes: environment.MAX_FILE_DOWNLOAD_MB * MIB,
    forceStreamUsage: environment.FORCE_STREAM_OPTION,
    readsImages: environment.GET_MEDIA_TOKEN,
    readsImagesOfWholeAnswers: environment.GET_MEDIA_TOKEN_NOT_STREAM,
  }
}

function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '')
}
