import type { HttpClient } from '../../contract/adapter.ts'
import type { EventBus } from '../../contract/events.ts'
import type { OptionService } from '../../contract/options.ts'
import type { RateLimiter } from '../../contract/plugin.ts'
import type { ResponseCache, RouteFigures, RoutingPolicy } from '../../contract/relay-points.ts'
import type { HookOf, RelayHook } from '../../contract/relay.ts'
import type {
  LedgerService,
  Logger,
  LogService,
  PricingService,
  TokenService,
} from '../../contract/services.ts'
import type { GatewaySettings } from '../../app/gateway-settings.ts'
import type { SessionCharges } from '../../billing/ledger/session-charges.ts'
import type { ChannelHealth } from '../../channels/health.ts'
import type { ChannelIndex } from '../../channels/channel-index.ts'
import type { RecentCosts } from '../../billing/recent-costs.ts'
import type { CallTraces } from './call-traces.ts'
import type { ChannelAffinity } from '../conversation/channel-affinity.ts'
import type { AdapterCaches } from '../attempt/adapter-cache.ts'
import type { OpenCalls } from './open-calls.ts'
import type { RealtimeSessions } from '../realtime/realtime-sessions.ts'
import type { ReasoningCache } from '../conversation/reasoning-cache.ts'
import type { AnswerItems } from '../conversation/answer-items.ts'
import type { BackgroundResponses } from '../conversation/background-responses.ts'
import type { MovedItems } from '../conversation/moved-items.ts'
import type { StoredResponses } from '../conversation/stored-responses.ts'

/** In milliseconds and bytes; see config/environment.ts. */
export type RelaySettings = GatewaySettings['relay']

/** Looks up the owner of a stored response; the service itself writes and deletes them. */
type ResponseOwners = Pick<StoredResponses, 'remember' | 'find' | 'forget' | 'viewOf'>

/** For identifying the caller: the key, the limits, and whether the call has passed this gateway before. */
export interface AccessDeps {
  tokens: TokenService
  rateLimiters(): readonly RateLimiter[]
  /** Id of this installation, the same on all its nodes. */
  hopId: string
  openCalls: OpenCalls
}

/** For deciding what a key may call: groups, models and the channels that serve them. */
export interface AdmitDeps {
  traces?: CallTraces | undefined
  index(): ChannelIndex
  options: OptionService
  pricing: PricingService
}

/** The hooks of plugins, which are those of a generation. */
export interface HookDeps {
  /** In their order. */
  hooks<S extends RelayHook['stage']>(stage: S): readonly HookOf<S>[]
  log: Logger
}

/** The price of a call and what is reserved for it. */
export interface PriceDeps {
  pricing: PricingService
  ledger: LedgerService
  recentCosts: RecentCosts
  /** Fields of all adapters that ask for several pictures besides `n`: which adapter will serve a call is not known when it is priced. */
  countFields: readonly string[]
}

/** Answers that were given before. */
export interface CacheDeps {
  /** In their order. */
  responseCaches(): readonly ResponseCache[]
}

/** Which channel is tried next. */
export interface SelectDeps extends Pick<HookDeps, 'log'> {
  /** In their order. */
  routingPolicies(): readonly RoutingPolicy[]
  /** How a channel did lately. */
  figuresOf(channelId: number): RouteFigures

  index(): ChannelIndex
  options: OptionService
  affinity: ChannelAffinity
}

/** One attempt on a channel: what its adapter is handed. */
export interface AttemptDeps {
  http: HttpClient
  options: OptionService
  settings: RelaySettings
  readVariable: GatewaySettings['readVariable']
  caches: AdapterCaches
  responses: ResponseOwners
  hopId: string
}

/** The body of a chat for its upstream. */
export interface PrepareDeps {
  options: OptionService
  settings: RelaySettings
  memory: ReasoningCache
}

/** Who hears of a failed attempt. */
export interface FailureDeps {
  events: EventBus
  health: ChannelHealth
  logs: LogService
  log: Logger
  settings: RelaySettings
}

/** The receipt, the log row, and who is told. */
export interface SettleDeps extends HookDeps {
  /** Undefined while traces are off. */
  traces?: CallTraces | undefined
  pricing: PricingService
  ledger: LedgerService
  recentCosts: RecentCosts
  options: OptionService
  events: EventBus
  settings: RelaySettings
}

/** For sending an answer to the client, which ends with a settlement or breaks off. */
export interface AnswerDeps extends SettleDeps, FailureDeps {}

/** One attempt of a chat, from its body to its settlement. */
export interface ChatDeps extends PrepareDeps, AnswerDeps {
  responses: ResponseOwners
  background: Pick<BackgroundResponses, 'await' | 'forget' | 'tell'>
}

/** As for a chat, which a text completion may become. */
export interface OperationDeps extends ChatDeps, Pick<PriceDeps, 'countFields'> {}

/** For a running realtime session: its access is checked again, its answers are settled as they end. */
export interface SessionDeps extends AdmitDeps, Pick<AccessDeps, 'tokens'>, AnswerDeps {
  sessionCharges: SessionCharges
}

/** For an admitted call until its end: price, attempts, answer. */
export interface RunDeps extends PriceDeps, CacheDeps, SelectDeps, AttemptDeps, OperationDeps {
  openCalls: OpenCalls
}

/** A call from its admission to its end. */
export interface CallDeps extends AdmitDeps, RunDeps {
  items: AnswerItems | Pick<MovedItems, 'keep' | 'restore'>
}

/** The whole, assembled once for a generation (app/relay-parts.ts). Hooks and limits are the generation's, everything else lives
 *  as long as the process. */
export interface RelayDeps extends AccessDeps, CallDeps {
  realtime: RealtimeSessions
  sessionCharges: SessionCharges
}
