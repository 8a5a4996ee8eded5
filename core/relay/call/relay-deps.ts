import type { HttpClient } from '../../contract/adapter.ts'
import type { EventBus } from '../../contract/events.ts'
import type { OptionService } from '../../contract/options.ts'
import type { RateLimiter } from '../../contract/plugin.ts'
import type { RelayHook } from '../../contract/relay.ts'
import type {
  LedgerService,
  Logger,
  LogService,
  PricingService,
  TokenService,
} from '../../contract/services.ts'
import type { GatewaySettings } from '../../app/gateway-settings.ts'
import type { ChannelHealth } from '../../channels/health.ts'
import type { ChannelIndex } from '../../channels/channel-index.ts'
import type { RecentCosts } from '../../billing/recent-costs.ts'
import type { ChannelAffinity } from './channel-affinity.ts'
import type { AdapterCaches } from './adapter-cache.ts'
import type { OpenCalls } from './open-calls.ts'
import type { RealtimeSessions } from '../realtime/realtime-sessions.ts'
import type { ReasoningCache } from './reasoning-cache.ts'
import type { StoredResponses } from './stored-responses.ts'

/** In milliseconds and bytes; see config/environment.ts. */
export type RelaySettings = GatewaySettings['relay']

/** What the relay works with. Registries are those of its generation, everything else lives as long as the process. */
export interface RelayDeps {
  index(): ChannelIndex
  health: ChannelHealth
  tokens: TokenService
  pricing: PricingService
  ledger: LedgerService
  logs: LogService
  options: OptionService
  events: EventBus
  http: HttpClient
  /** Of this installation: all nodes have one, nobody else has it. */
  hopId: string
  log: Logger
  settings: RelaySettings
  readVariable: GatewaySettings['readVariable']
  caches: AdapterCaches
  memory: ReasoningCache
  responses: StoredResponses
  affinity: ChannelAffinity
  recentCosts: RecentCosts
  realtime: RealtimeSessions
  openCalls: OpenCalls
  hooks(stage: RelayHook['stage']): readonly RelayHook[]
  rateLimiters(): readonly RateLimiter[]
  /** What asks for several pictures beside `n`, by all adapters: which of them will serve a call is not known when it is priced. */
  countFields: readonly string[]
}
