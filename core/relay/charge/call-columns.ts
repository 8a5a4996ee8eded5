import type { RoutedChannel } from '../../channels/routing/routed-channel.ts'
import type { LogRow, TokenIdentity } from '../../contract/services.ts'
import type { RelayCall } from '../call/relay-call.ts'

/** The facts about a call that its log row needs; of a call whose process has ended, as far as they are known. */
export interface CallOwner
  extends Pick<RelayCall, 'requestId' | 'requestedModel' | 'group' | 'startedAtMs'> {
  readonly identity: Pick<TokenIdentity, 'userId' | 'username' | 'tokenId' | 'tokenName'>
}

type CallColumns = Pick<
  LogRow,
  | 'user_id'
  | 'username'
  | 'token_name'
  | 'token_id'
  | 'use_time_ms'
  | 'channel_id'
  | 'group'
  | 'request_id'
>

/** The columns that all log rows of a call share: who called, where it was served, how long it has taken so far. */
export function callColumns(call: CallOwner, channel: Pick<RoutedChannel, 'id'>): CallColumns {
  const { identity } = call
  return {
    user_id: identity.userId,
    username: identity.username,
    token_name: identity.tokenName,
    token_id: identity.tokenId,
    use_time_ms: Math.floor(performance.now() - call.startedAtMs),
    channel_id: channel.id,
    group: call.group,
    request_id: call.requestId,
  }
}
