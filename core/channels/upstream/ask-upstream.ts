import type { ChannelView } from '../../contract/adapter.ts'
import { AppError, type Text, UpstreamError } from '../../contract/errors.ts'
import type { HttpOptions } from '../../contract/http-client.ts'
import { redactorOf } from '../../secrets/redact.ts'
import { maskMessage } from '../../upstream-failures/mask-message.ts'
import { channelCallFailed } from '../channel-errors.ts'
import { httpOptionsOf, secretsOf } from '../routing/routed-channel.ts'
import { errorText } from '../../kernel/error-text.ts'

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
    const words = wordsOf(error)
    const masked = (message: string) =>
      maskMessage(redactorOf(secretsOf([channel.key], httpOptions)).text(message)).slice(0, 500)
    const reason = typeof words === 'string' ? masked(words) : words
    throw channelCallFailed({ reason }, { cause: error })
  }
}

const useless: Text = {
  en: 'The answer does not hold what was asked for.',
  zh: '返回的内容不符合预期。',
}

/** What the upstream said with its status, or how its answer is none. */
function wordsOf(error: unknown): string | Text {
  if (!(error instanceof UpstreamError)) return errorText(error)
  const { status, isKnownShape, message } = error.failure
  // A redirect, as from http to https, is not followed.
  const isSuccess = status < 300
  if (isKnownShape) return isSuccess ? message : `HTTP ${status}: ${message}`
  return isSuccess ? useless : `HTTP ${status}`
}
