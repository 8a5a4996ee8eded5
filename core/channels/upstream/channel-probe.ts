import type { Body, OperationName } from '../../contract/adapter.ts'
import type { Usage } from '../../contract/neutral.ts'
import type { FailureClass } from '../../contract/errors.ts'
import type { RoutedChannel } from '../routing/routed-channel.ts'

/** The call of a channel test, in OpenAI's shape. */
export interface TestCall {
  operation: OperationName
  /** The name that the admin entered; prices and the log use it. */
  requestedModel: string
  /** The name after the channel's model mapping. */
  upstreamModel: string
  body: Body
  /** Of our own words in the result. */
  language: 'en' | 'zh'
}

export type ProbeResult =
  | { usage: Usage }
  | {
      error: {
        /** Shown to the admin, e.g. "HTTP 401: …"; never contains the key. */
        message: string
        /** Absent for faults that the upstream did not cause. */
        failureClass?: FailureClass | undefined
        /** The key that was used, if the channel has several. */
        key?: string | undefined
      }
    }

/** Sends one test call through the channel's adapter: no override, no pass-through, no retry, no reservation. The relay implements it. */
export interface ChannelProbe {
  test(channel: RoutedChannel, call: TestCall, signal: AbortSignal): Promise<ProbeResult>
}
