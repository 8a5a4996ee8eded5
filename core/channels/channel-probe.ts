import type { Body, OperationName } from '../contract/adapter.ts'
import type { Usage } from '../contract/neutral.ts'
import type { FailureClass } from '../contract/errors.ts'
import type { RoutedChannel } from './routed-channel.ts'

/** The call of a channel test, in OpenAI's shape. */
export interface TestCall {
  operation: OperationName
  /** As the admin named it; prices and the log go by it. */
  requestedModel: string
  /** After the channel's model mapping. */
  upstreamModel: string
  body: Body
}

export type ProbeResult =
  | { usage: Usage }
  | {
      error: {
        /** For the admin's eyes: "status code 401: …", without the key. */
        message: string
        /** Absent for faults that are not the upstream's. */
        failureClass?: FailureClass | undefined
        /** The key that was used, where the channel has several. */
        key?: string | undefined
      }
    }

/** Sends one test call through the channel's adapter: no override, no pass-through, no retry, no reservation. The relay implements it. */
export interface ChannelProbe {
  test(channel: RoutedChannel, call: TestCall, signal: AbortSignal): Promise<ProbeResult>
}
