// Ends a call that has no answer, in a form that its client can still read.
import type { ClientError, ErrorDialect, ErrorWriter } from '../../contract/dialect.ts'
import { clientCodec } from './client-codec.ts'
import { breaksOff, wantsArray } from './client-stream-format.ts'
import { textAsArray } from './gemini-array-stream.ts'
import type { RelayCall } from '../call/relay-call.ts'
import { sendClientError } from '../failure/send-error.ts'

export function sendFailed(call: RelayCall, error: ClientError, retryAfterSeconds?: number): void {
  if (call.client.isGone) return
  if (call.kind === 'session') return call.step.refuse(error)
  call.reply.hijack()
  if (call.reply.raw.headersSent) return breakOffStream(call, error)
  sendClientError(call.reply, writerOf(call), error, retryAfterSeconds)
}

function writerOf(call: RelayCall): ErrorDialect | ErrorWriter {
  const { ownCodec } = call
  if (call.kind === 'task') return call.step.writeError
  if (!ownCodec) return call.dialect
  return (error) => ({ status: error.status, body: ownCodec.writeError(error) })
}

/** The client has already got headers and pings: the failure is sent as an event of the stream. */
function breakOffStream(call: RelayCall, error: ClientError): void {
  const { raw } = call.reply
  if (raw.writableEnded) return
  const event = clientCodec(call).streamError(error)
  if (!breaksOff(call)) return void raw.end(event)
  raw.write(wantsArray(call) ? textAsArray(event) : event, () => raw.destroy())
}
