/** Event names and payloads; a plugin adds its own by extending this interface. Events carry ids and numbers, no model objects. */
export interface Events {
  'option.changed': { key: string }
  'user.registered': { userId: number; by: 'password' | 'provider' | 'admin' | 'setup' }
  /** Somebody signed in, by any method. */
  'user.signed_in': SignedIn
  /** Sent once, on every node that is not cut off at that moment. To keep data about users current, use `cluster.subscribe`. */
  'user.changed': { userId: number }
  'user.deleted': { userId: number }
  'token.changed': { tokenId: number; userId: number }
  /** A call was refused because the token has no quota left. */
  'token.exhausted': { tokenId: number }
  'channel.changed': { channelId: number }
  'channel.disabled': { channelId: number; name: string; reason: string }
  'channel.enabled': { channelId: number; name: string; reason: string }
  /** One of several keys of a channel is passed over from now on. */
  'channel.key_disabled': DisabledKey
  'channels.tested': { tested: number; failed: number }
  'quota.reserved': { userId: number; units: number }
  'relay.settled': RelaySettled
  /** One attempt of a call failed on a channel; another channel may have answered it. */
  'attempt.failed': { channelId: number; failureClass: string }
  /** A call was answered with an error and charged nothing. */
  'relay.refused': { status: number }
  'plugin.changed': { id: string; enabled: boolean }
}

export interface DisabledKey {
  channelId: number
  name: string
  /** Its line in the channel's key, from 1. */
  position: number
  /** How many keys of the channel are still used. */
  left: number
  /** What the upstream said, without keys. */
  reason: string
}

export interface SignedIn {
  userId: number
  /** The account has signed in with this browser before (see `SessionHandle.knownDevices`), or was created a moment ago. */
  isKnownDevice: boolean
  address: string
  /** The header, as the browser sent it. */
  userAgent: string
  /** Unix milliseconds. */
  atMs: number
}

export interface RelaySettled {
  requestId: string
  userId: number
  tokenId: number
  /** 0: answered from a response cache. */
  channelId: number
  model: string
  group: string
  units: number
  promptTokens: number
  completionTokens: number
  status: number
  durationMs: number
  /** From the request to the first byte of the answer; absent if there was none. */
  firstByteMs?: number | undefined
}

export interface EventBus {
  /** `sender`: the plugin that sends it, filled by the host. */
  emit<K extends keyof Events>(name: K, payload: Events[K], sender?: string): void
  /** Returns the disposer. A listener that throws or rejects is logged with its owner's id and affects nobody else. */
  on<K extends keyof Events>(
    name: K,
    listener: (payload: Events[K]) => void | Promise<void>,
    owner?: string,
  ): () => void
}
