import type { HttpClient } from '../../contract/http-client.ts'
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
import type { KeptCharges } from '../../billing/ledger/kept-charges.ts'
import type { SessionCharges } from '../../billing/ledger/session-charges.ts'
import type { ChannelHealth } from '../../channels/health/health.ts'
import type { ChannelIndex } from '../../channels/routing/channel-index.ts'
import type { RecentCosts } from '../../billing/recent-costs.ts'
import type { CallTraces } from './call-traces.ts'
import type { ChannelAffinity } from '../conversation/channel-affinity.ts'
import type { AdapterCaches } from '../attempt/adapter-cache.ts'
import type { AnswerRoom } from '../attempt/answer-room.ts'
import type { OpenCalls } from './open-calls.ts'
import type { BodyIntake } from '../../http/bodies/body-intake.ts'
import type { Loopback } from '../../http/loopback.ts'
import type { KeptTexts } from '../conversation/kept-texts.ts'
import type { LiveSessions } from '../call/live-sessions.ts'
import type { SealedReasoning } from '../conversation/sealed-reasoning.ts'
import type { UnsealedReasoning } from '../conversation/unsealed-reasoning.ts'
import type { AnswerItems } from '../conversation/answer-items.ts'
import type { BackgroundResponses } from '../conversation/background-responses.ts'
import type { MovedItems } from '../conversation/moved-items.ts'
import type { StoredResponses } from '../conversation/stored-responses.ts'

/** In milliseconds and bytes; see config/environment.ts. */
export type RelaySettings = GatewaySettings['relay']

/** Looks up who made a stored response. */
type ResponseOwners = Pick<StoredResponses, 'remember' | 'find' | 'forget' | 'viewOf'>

/** Identifies the caller: the key, the limits, and whether the call has passed this gateway before. */
export interface AccessDeps {
  tokens: TokenService
  rateLimiters(): readonly RateLimiter[]
  /** Id of this installation, the same on all of its nodes. */
  hopId: string
  openCalls: OpenCalls
}

/** Decides what a key may call: groups, models and the channels that serve them. */
export interface AdmitDeps {
  traces?: CallTraces | undefined
  index(): ChannelIndex
  options: OptionService
  pricing: PricingService
}

/** The hooks of plugins. Each generation of plugins has its own. */
export interface HookDeps {
  /** In the order in which they run. */
  hooks<S extends RelayHook['stage']>(stage: S): readonly HookOf<S>[]
  log: Logger
}

/** Prices a call and decides what is reserved for it. */
export interface PriceDeps extends Pick<AdmitDeps, 'index'> {
  pricing: PricingService
  ledger: LedgerService
  recentCosts: RecentCosts
  /** The fields of all adapters that ask for several pictures, besides `n`. When a call is priced, its adapter is not known yet. */
  countFields: readonly string[]
}

/** The stored answers of response caches. */
export interface CacheDeps {
  /** In the order in which they are asked. */
  responseCaches(): readonly ResponseCache[]
}

/** Chooses the channel to try next. */
export interface SelectDeps extends Pick<HookDeps, 'log'> {
  /** In the order in which they are asked. */
  routingPolicies(): readonly RoutingPolicy[]
  /** The recent success and speed of a channel. */
  figuresOf(channelId: number): RouteFigures

  index(): ChannelIndex
  options: OptionService
  affinity: ChannelAffinity
}

/** What an attempt hands to its adapter. */
export interface AttemptDeps extends Pick<HookDeps, 'log'> {
  http: HttpClient
  options: OptionService
  settings: RelaySettings
  readVariable: GatewaySettings['readVariable']
  caches: AdapterCaches
  answers: AnswerRoom
  responses: ResponseOwners
  hopId: string
}

/** Writes the body of a chat for its upstream. */
export interface PrepareDeps {
  options: OptionService
  settings: RelaySettings
  sealedReasoning: SealedReasoning
  unsealedReasoning: UnsealedReasoning
}

/** Reports a failed attempt. */
export interface FailureDeps {
  events: EventBus
  health: ChannelHealth
  logs: LogService
  log: Logger
  settings: RelaySettings
}

/** Writes the receipt and the log row, and tells observers. */
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

/** Sends an answer to the client, then settles it or breaks it off. */
export interface AnswerDeps extends SettleDeps, FailureDeps {}

/** One attempt of a chat, from its body to its settlement. */
export interface ChatDeps extends PrepareDeps, AnswerDeps {
  responses: ResponseOwners
  background: Pick<BackgroundResponses, 'await' | 'forget' | 'announce' | 'reads'>
  keptCharges: Pick<KeptCharges, 'keep' | 'claim' | 'charge'>
}

/** The same as for a chat, because a legacy text completion may become one. */
export interface OperationDeps extends ChatDeps, Pick<PriceDeps, 'countFields'> {}

/** Runs a realtime session: repeats the access checks and settles each answer. */
export interface SessionDeps extends AdmitDeps, Pick<AccessDeps, 'tokens'>, AnswerDeps {
  sessionCharges: SessionCharges
}

/** Runs an admitted call to its end: price, attempts, answer. */
export interface RunDeps extends PriceDeps, CacheDeps, SelectDeps, AttemptDeps, OperationDeps {
  openCalls: OpenCalls
}

/** Runs a call from its admission to its end. */
export interface CallDeps extends AdmitDeps, RunDeps {
  items:
    | AnswerItems
    | Pick<
        MovedItems,
        | 'keep'
        | 'restore'
        | 'keepTurn'
        | 'hasTurn'
        | 'conversation'
        | 'answer'
        | 'inputOf'
        | 'forgetTurn'
      >
}

/** Everything together, assembled once for each generation of plugins (app/relay-parts.ts). Hooks and limits belong to
 *  the generation; everything else lives as long as the process. */
export interface RelayDeps extends AccessDeps, CallDeps {
  realtime: LiveSessions
  responseSockets: LiveSessions
  /** What those sockets remember. */
  turns: KeptTexts
  loopback: Loopback
  /** Counts what they have been sent and not yet made a call of. */
  intake: BodyIntake
  sessionCharges: SessionCharges
}
