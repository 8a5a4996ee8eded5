import type { ChannelView } from '../../contract/adapter.ts'
import { AppError } from '../../contract/errors.ts'
import type { HttpOptions } from '../../contract/http-client.ts'
import { redactorOf } from '../../secrets/redact.ts'
import { maskMessage } from '../../upstream-failures/mask-message.ts'
import { channelCallFailed } from '../channel-errors.ts'
import { httpOptionsOf, secretsOf } from '../routing/routed-channel.ts'

const timeoutMs = 10_000

/** Limits the time of a call and turns its failure into one sentence without the key. */
export async function askUpstream<T>(
  channel: ChannelView,
  call: (httpOptions: HttpOptions) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs)
  const httpOptions = httpOptionsOf(channel)
  try {
    return await call({ ...httpOptions, firstByteTimeoutMs: timeoutMs, signal })
  } catch (error) {
    if (error instanceof AppError) throw error
    const message = error instanceof Error ? error.message : String(error)
    const reason = maskMessage(
      redactorOf(secretsOf([channel.key], httpOptions)).text(message),
    ).slice(0, 500)
    throw channelCallFailed({ reason }, { cause: error })
  }
}
