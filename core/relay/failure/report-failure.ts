import { logType } from '../../contract/constants.ts'
import type { RoutedChannel } from '../../channels/routing/routed-channel.ts'
import { AppError } from '../../contract/errors.ts'
import { errorDetails } from '../../logs/log-details.ts'
import { isOfUpstream, type JudgedFailure } from './failures.ts'
import { callColumns } from '../charge/call-columns.ts'
import { keyInUse, type RelayCall } from '../call/relay-call.ts'
import type { FailureDeps } from '../call/relay-deps.ts'
import { markFailed, triedFacts } from '../attempt/tried-channels.ts'

/** Reports a failed attempt to the log, the channel's health and the log of usage; also one that failed after output began. */
export function reportFailure(
  call: RelayCall,
  channel: RoutedChannel,
  failure: JudgedFailure,
  deps: FailureDeps,
): void {
  const { failureClass, clientError } = failure
  markFailed(call.tried, failureClass, clientError.status)
  const fields = {
    requestId: call.requestId,
    channelId: channel.id,
    status: clientError.status,
    failureClass,
  }
  if (failureClass === 'local') {
    if (!(failure.cause instanceof AppError))
      deps.log.error(
        { ...fields, adapter: channel.adapter?.id, err: failure.cause },
        'an attempt failed inside the gateway',
      )
    return
  }
  deps.events.emit('attempt.failed', { channelId: channel.id, failureClass })
  deps.log.warn({ ...fields, code: clientError.code }, 'an upstream attempt failed')
  if (isOfUpstream(failureClass))
    void deps.health.failed(channel, {
      failureClass,
      message: failure.upstreamMessage,
      ownMessage: failure.ownMessage,
      key: keyInUse(call),
    })
  if (deps.settings.logsErrors) writeErrorRow(call, channel, failure, deps)
}

function writeErrorRow(
  call: RelayCall,
  channel: RoutedChannel,
  failure: JudgedFailure,
  deps: FailureDeps,
): void {
  const { clientError } = failure
  deps.logs.write({
    ...callColumns(call, channel),
    type: logType.error,
    content: `status ${clientError.status}: ${clientError.message}`,
    model_name: call.requestedModel,
    is_stream: call.isStream,
    other: errorDetails({
      requestPath: call.request.url.split('?')[0] ?? '',
      errorType: clientError.openaiType,
      errorCode: clientError.code,
      statusCode: clientError.status,
      channelId: channel.id,
      channelName: channel.name,
      channelType: channel.type,
      tried: triedFacts(call.tried, clientError.status),
      upstreamMessage: failure.upstreamMessage.slice(0, 2000),
    }),
  })
}
