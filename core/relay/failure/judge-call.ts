import type { RoutedChannel } from '../../channels/routing/routed-channel.ts'
import { anyCredential } from '../intake/credentials.ts'
import type { RelayCall } from '../call/relay-call.ts'
import { judge, type JudgedFailure } from './failures.ts'

/** Judges a failure of a client's call on this channel. Leave out `retryStatusCodes` if nothing is retried. */
export function judgeCall(
  error: unknown,
  { request, requestId, language }: Pick<RelayCall, 'request' | 'requestId' | 'language'>,
  channel: RoutedChannel,
  retryStatusCodes = '',
): JudgedFailure {
  const presentedKey = anyCredential(request)
  return judge(error, { channel, presentedKey, requestId, language, retryStatusCodes })
}
