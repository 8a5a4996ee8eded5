import type { RoutedChannel } from '../../channels/routing/routed-channel.ts'
import { anyCredential } from '../intake/credentials.ts'
import type { RelayCall } from '../call/relay-call.ts'
import { judge, type JudgedFailure } from './failures.ts'

/** Judges a failure of a client's call on this channel. Leave out `retryStatusCodes` if nothing is retried. */
export function judgeCall(
  error: unknown,
  call: Pick<RelayCall, 'request' | 'requestId' | 'language'> &
    Partial<Pick<RelayCall, 'body' | 'form'>>,
  channel: RoutedChannel,
  retryStatusCodes = '',
): JudgedFailure {
  const { request, requestId, language, body, form } = call
  const presentedKey = anyCredential(request)
  const sent = body ?? form
  return judge(error, { channel, presentedKey, sent, requestId, language, retryStatusCodes })
}
