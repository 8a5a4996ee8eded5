import type { RoutedChannel } from '../../channels/routed-channel.ts'
import type { LogRow } from '../../contract/services.ts'
import type { RelayCall } from '../call/relay-call.ts'

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
export function callColumns(call: RelayCall, channel: Pick<RoutedChannel, 'id'>): CallColumns {
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
