import type { RelayDeps } from '../call/relay-deps.ts'

export interface RelayRouteDeps extends RelayDeps {
  owner(userId: number): Promise<{ quota: number; used_quota: number } | undefined>
  /** The user's setting accept_unset_model_ratio_model; for calls without a token, which knows it. */
  acceptsUnset(userId: number): Promise<boolean>
  token(
    userId: number,
    tokenId: number,
  ): Promise<
    | { remain_quota: number; used_quota: number; expired_time: number; unlimited_quota: boolean }
    | undefined
  >
}
