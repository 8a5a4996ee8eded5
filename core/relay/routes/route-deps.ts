import type { OptionService } from '../../contract/options.ts'
import type { AccessDeps, CallDeps, RelayDeps } from '../call/relay-deps.ts'

/** The figures that the dashboard routes show. */
export interface FigureDeps {
  options: OptionService
  owner(userId: number): Promise<{ quota: number; used_quota: number } | undefined>
  token(
    userId: number,
    tokenId: number,
  ): Promise<
    | { remain_quota: number; used_quota: number; expired_time: number; unlimited_quota: boolean }
    | undefined
  >
}

/** Calls of the console's playground. */
export interface PlaygroundDeps extends CallDeps, Pick<AccessDeps, 'rateLimiters'> {
  /** The user's setting accept_unset_model_ratio_model, for calls without a token. (A token's identity includes it.) */
  acceptsUnset(userId: number): Promise<boolean>
}

/** Everything that the routes of the relay need. */
export interface RelayRouteDeps extends RelayDeps, PlaygroundDeps, FigureDeps {}
