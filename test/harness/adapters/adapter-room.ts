// The relay with one channel of one adapter, in process. Everything between the client's request and the log row is
// real, except the ledger, the key check and the stored options.
import Fastify from 'fastify'
import type { AddressInfo } from 'node:net'
import type {
  Adapter,
  HttpClient,
  LogRow,
  OptionService,
  TokenIdentity,
  TSchema,
  UpstreamResponse,
} from '#core'
import { shippedPrices } from '../shipped-prices.ts'
import { defaults } from '../../../config/defaults.ts'
import { SessionCharges } from '../../../core/billing/ledger/session-charges.ts'
import { createPricing } from '../../../core/billing/prices/pricing.ts'
import { ChannelIndex } from '../../../core/channels/routing/channel-index.ts'
import type { ChannelRow } from '../../../core/data/models/channel.ts'
import { blankChannel } from '../channel-row.ts'
import { ChannelHealth } from '../../../core/channels/health/health.ts'
import { routedChannel } from '../../../core/channels/routing/routed-channel.ts'
import { coreOptions } from '../../../core/app/core-options.ts'
import { createRelayMemory } from '../../../core/app/relay-parts.ts'
import { createEventBus } from '../../../core/kernel/event-bus.ts'
import { decodeOption, encodeOption } from '../../../core/kernel/options/option-codec.ts'
import { createHttpClient } from '../../../core/net/http-client.ts'
import { RecentCosts } from '../../../core/billing/recent-costs.ts'
import { ChannelAffinity } from '../../../core/relay/conversation/channel-affinity.ts'
import { AnswerRoom } from '../../../core/relay/attempt/answer-room.ts'
import { OpenCalls } from '../../../core/relay/call/open-calls.ts'
import { BodyIntake } from '../../../core/http/bodies/body-intake.ts'
import { Loopback } from '../../../core/http/loopback.ts'
import { socketTurnBounds } from '../../../core/relay/response-socket/response-socket.ts'
import { KeptTexts } from '../../../core/relay/conversation/kept-texts.ts'
import { LiveSessions } from '../../../core/relay/call/live-sessions.ts'
import type { RelaySettings } from '../../../core/relay/call/relay-deps.ts'
import { relayRoutes } from '../../../core/relay/routes/relay-routes.ts'
import type { RelayRouteDeps } from '../../../core/relay/routes/route-deps.ts'
import { createRelayError } from '../../../core/relay/failure/send-error.ts'
import { AnswerItems } from '../../../core/relay/conversation/answer-items.ts'
import { quietLog } from '../quiet-log.ts'
import { openTaskRoom } from './task-room.ts'

export interface AdapterRoomInput {
  adapter: Adapter
  /** A second channel shows whether a failure is retried. */
  channels: Partial<ChannelRow>[]
  models: readonly string[]
  /** Options by key, as strings on the wire. */
  options?: Record<string, string>
  /** Sends the upstream's bytes one by one, so that a stream is cut at every place once. */
  cutsEveryByte?: boolean
}

export interface AdapterRoom {
  url: string
  /** Log rows of consumption and errors, in the order in which they were written. */
  rows: LogRow[]
  /** Ids of the channels that were disabled automatically. */
  disabled: number[]
  /** Runs the task poller once; does nothing for adapters without tasks. */
  pollTasks(): Promise<void>
  close(): Promise<void>
}

export async function openAdapterRoom(input: AdapterRoomInput): Promise<AdapterRoom> {
  const http = createHttpClient({ ssrfAllow: ['127.0.0.0/8'] })
  const rows: LogRow[] = []
  const disabled: number[] = []
  const app = Fastify({ genReqId: () => 'request-of-a-case' })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.decorateRequest('language', 'en')
  app.decorateRequest('clientAddress', '127.0.0.1')
  const relay = relayDeps(input, input.cutsEveryByte ? byteByByte(http) : http, rows, disabled)
  app.setErrorHandler(createRelayError(relay))
  relayRoutes(app, relay)
  const tasks = input.adapter.tasks && (await openTaskRoom(app, input.adapter, relay))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    rows,
    disabled,
    pollTasks: () => tasks?.poll() ?? Promise.resolve(),
    close: async () => {
      app.server.closeAllConnections()
      await app.close()
      await http.close()
      await tasks?.close()
    },
  }
}

const noBackground: RelayRouteDeps['background'] = {
  await: () => Promise.withResolvers<never>().promise,
  forget: () => undefined,
  announce: async () => undefined,
  reads: {
    of: () => ({ output: 0, isRest: false }),
    forget: () => undefined,
    whole: () => undefined,
    stream: () => ({ see: () => undefined, end: () => undefined }),
    close: () => undefined,
  },
}

const noKeptCharges: RelayRouteDeps['keptCharges'] = {
  keep: async () => undefined,
  claim: async () => [],
  charge: async () => undefined,
}

function socketDeps() {
  return {
    realtime: new LiveSessions({ all: 100, perUser: 100 }),
    responseSockets: new LiveSessions({ all: 100, perUser: 100 }),
    turns: new KeptTexts(socketTurnBounds),
    loopback: new Loopback(),
    intake: new BodyIntake({ limitBytes: 2 ** 30, slowSeconds: 30 }),
  }
}

function relayDeps(
  input: AdapterRoomInput,
  http: HttpClient,
  rows: LogRow[],
  disabled: number[],
): RelayRouteDeps {
  const options = fixedOptions(input)
  const channels = input.channels.map((channel, index) => {
    const row = { ...caseChannel, models: input.models.join(','), ...channel, id: index + 1 }
    return routedChannel(row, row.key, input.adapter)
  })
  const index = ChannelIndex.of(channels)
  const setAutomatic = (id: number) => Promise.resolve(void disabled.push(id))
  const ledger = writingLedger(rows)
  return {
    index: () => index,
    health: new ChannelHealth({ options, setAutomatic, log: quietLog }),
    pricing: createPricing({ options, log: quietLog }),
    options,
    events: createEventBus(quietLog),
    http,
    hopId: '0'.repeat(32),
    log: quietLog,
    settings,
    readVariable: () => undefined,
    ...createRelayMemory(),
    answers: new AnswerRoom(Number.POSITIVE_INFINITY),
    items: new AnswerItems(),
    affinity: new ChannelAffinity(),
    recentCosts: new RecentCosts(),
    responses: noResponses,
    background: noBackground,
    keptCharges: noKeptCharges,
    ...socketDeps(),
    openCalls: new OpenCalls(Infinity),
    hooks: () => [],
    responseCaches: () => [],
    routingPolicies: () => [],
    figuresOf: () => ({ succeeded: 0, failed: 0, firstByteMs: undefined, durationMs: undefined }),
    rateLimiters: () => [],
    countFields: input.adapter.countFields ?? [],
    owner: () => Promise.resolve(undefined),
    acceptsUnset: () => Promise.resolve(false),
    token: () => Promise.resolve(undefined),
    tokens: keyCheck as RelayRouteDeps['tokens'],
    logs: {
      write: (row) => void rows.push(row as LogRow),
      writeIn: async (row) => void rows.push(row as LogRow),
    },
    ledger,
    sessionCharges: new SessionCharges({
      nodeId: '',
      redaction: undefined,
      settle: (reservation, charge) => ledger.settle(reservation, charge),
      release: (reservation) => ledger.release(reservation),
      add: async ({ log }) => void (log && rows.push(log as LogRow)),
    }),
  }
}

/** A ledger that accepts every reservation and keeps the rows. */
function writingLedger(rows: LogRow[]): RelayRouteDeps['ledger'] {
  const keep = (row: LogRow | undefined) => {
    if (row) rows.push(row)
    return Promise.resolve()
  }
  const ledger: Pick<RelayRouteDeps['ledger'], 'reserve' | 'settle' | 'release' | 'openCount'> = {
    reserve: ({ requestId, userId, tokenId, units }) =>
      Promise.resolve({ requestId, userId, tokenId, units }),
    openCount: () => 0,
    settle: (_reservation, { log }) => keep(log),
    release: (_reservation, log) => keep(log),
  }
  return ledger as RelayRouteDeps['ledger']
}

/** Core's options with their defaults, a ratio of 1 for the models, and the options of the case. */
function fixedOptions({ models, options = {}, channels }: AdapterRoomInput): OptionService {
  const schemas: Record<string, TSchema> = coreOptions(defaults, shippedPrices).schema.properties
  const wire: Record<string, string> = {
    ModelRatio: JSON.stringify(Object.fromEntries(models.map((model) => [model, 1]))),
    AutomaticDisableChannelEnabled: 'true',
    RetryTimes: String(channels.length - 1),
    ...options,
  }
  const valueOf = (key: string): unknown => {
    const schema = schemas[key]
    const text = wire[key]
    if (!schema) return text
    return text === undefined ? schema.default : decodeOption(key, text, schema)
  }
  return {
    get: <T>(key: string) => valueOf(key) as T,
    set: () => Promise.reject(new Error('a case sets its options before the call')),
    setMany: () => Promise.reject(new Error('a case sets its options before the call')),
    list: () => Object.keys(schemas).map((key) => ({ key, value: encodeOption(valueOf(key)) })),
    secretsSet: () => [],
    onChange: () => () => undefined,
    schemaOf: (key) => schemas[key],
  }
}

function byteByByte(http: HttpClient & { close(): Promise<void> }): HttpClient {
  return {
    json: (request, options) => http.json(request, options),
    webSocket: (url, options) => http.webSocket(url, options),
    request: async (request, options): Promise<UpstreamResponse> => {
      const response = await http.request(request, options)
      return { ...response, body: singleBytes(response.body) }
    },
  }
}

async function* singleBytes(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    for (let index = 0; index < chunk.length; index++) yield chunk.subarray(index, index + 1)
  }
}

const identity: TokenIdentity = {
  tokenId: 1,
  tokenName: 'case',
  status: 1,
  expiredTime: -1,
  isUnlimited: true,
  remainQuota: 0,
  models: null,
  allowAddresses: [],
  tokenGroup: '',
  userId: 1,
  username: 'case',
  userGroup: 'default',
  userRole: 1,
  userStatus: 1,
  acceptUnsetRatio: false,
}

const noResponses: RelayRouteDeps['responses'] = {
  remember: () => undefined,
  find: () => Promise.resolve(undefined),
  forget: () => Promise.resolve(),
  viewOf: () => undefined,
}

const keyCheck: Pick<RelayRouteDeps['tokens'], 'authenticate'> = {
  authenticate: () => Promise.resolve(identity),
}

const settings: RelaySettings = {
  isStrict: true,
  logsErrors: true,
  streamingTimeoutMs: 10_000,
  relayTimeoutMs: 0,
  drainMs: 1_000,
  drainBytes: 1_000_000,
  maxFileBytes: 1_000_000,
  forceStreamUsage: true,
  readsImages: true,
  readsImagesOfWholeAnswers: true,
}

const caseChannel: ChannelRow = { ...blankChannel, id: 0, key: 'sk-test', name: 'case' }
