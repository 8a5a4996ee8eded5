import { type AutomaticStatus, channelStatus } from '../../contract/constants.ts'
import type { FailureClass } from '../../contract/errors.ts'
import type { OptionReader } from '../../contract/adapter.ts'
import type { Logger } from '../../contract/services.ts'
import { redactorOf } from '../../secrets/redact.ts'
import { ownWords } from '../../upstream-failures/own-words.ts'
import { isOfKey } from '../keys/multi-key.ts'
import type { RecentHealth } from './recent-health.ts'
import type { RoutedChannel } from '../routing/routed-channel.ts'

/** How an attempt failed, as far as the channel's health is concerned. */
export interface ChannelFailure {
  failureClass: FailureClass
  /** As the upstream wrote it, without redaction. */
  message: string
  /** Without what it repeats of a client's call. */
  ownMessage?: string | undefined
  /** The key that was used, if the channel has several. */
  key?: string | undefined
}

interface HealthDeps {
  options: OptionReader
  setAutomatic(id: number, status: AutomaticStatus, reason: string): Promise<void>
  /** `last`: it is the only live key of the channel, and nothing was changed. */
  disableKey?(id: number, key: string, reason: string): Promise<'marked' | 'last' | 'unknown'>
  recent?: Pick<RecentHealth, 'failed'>
  log: Logger
}

/** Decides which channels are disabled after a failed call, and enabled again after a successful test. */
export class ChannelHealth {
  readonly #deps: HealthDeps
  /** The channels and keys that are being disabled, so that a burst of failures writes once. */
  readonly #disabling = new Set<number | string>()

  constructor(deps: HealthDeps) {
    this.#deps = deps
  }

  /** Whether this failure disables the channel under the current options. Not for failures that the gateway itself caused. */
  disables(channel: RoutedChannel, failure: ChannelFailure): boolean {
    if (!channel.mayBeDisabled) return false
    if (!this.#deps.options.get<boolean>('AutomaticDisableChannelEnabled')) return false
    const keywords = this.#deps.options.get<string>('AutomaticDisableKeywords')
    return isChannelToBlame(failure, keywords)
  }

  /** Handles a failed attempt. Never throws: a call must not fail because of this bookkeeping. */
  async failed(channel: RoutedChannel, failure: ChannelFailure): Promise<void> {
    const words = redactorOf(channel.secrets).text(failure.message)
    this.#deps.recent?.failed(channel.id, failure.failureClass, words)
    if (!channel.isEnabled) return
    const { key } = failure
    const hasMore = key !== undefined && channel.keyViews.length > 1
    const subject = hasMore ? `${channel.id}\n${key}` : channel.id
    if (this.#disabling.has(subject)) return
    if (!(hasMore ? this.#blamesKey(channel, failure) : this.disables(channel, failure))) return
    this.#disabling.add(subject)
    try {
      if (!hasMore || (await this.#isLastKey(channel, key, failure)))
        await this.#deps.setAutomatic(
          channel.id,
          channelStatus.disabledAutomatically,
          failure.message,
        )
    } catch (error) {
      this.#deps.log.error({ err: error, channelId: channel.id }, 'channel not disabled')
    } finally {
      this.#disabling.delete(subject)
    }
  }

  /** An admin who gives a channel several keys wants dead ones skipped, whatever the option for whole channels says. */
  #blamesKey(channel: RoutedChannel, failure: ChannelFailure): boolean {
    const isDead = isOfKey(failure.failureClass)
    return channel.mayBeDisabled && (isDead || this.disables(channel, failure))
  }

  async #isLastKey(channel: RoutedChannel, key: string, failure: ChannelFailure): Promise<boolean> {
    const outcome = await this.#deps.disableKey?.(channel.id, key, failure.message)
    return outcome === 'last' && this.disables(channel, failure)
  }
}

/** `keywords`: one fragment per line, in any case. */
function isChannelToBlame(failure: ChannelFailure, keywords: string): boolean {
  if (isOfKey(failure.failureClass)) return true
  // Two providers describe a mere rate limit as "exceeded your current quota".
  if (failure.failureClass === 'throttled') return false
  const message = (failure.ownMessage ?? ownWords(failure.message)).toLowerCase()
  return keywords
    .split('\n')
    .map((line) => line.trim().toLowerCase())
    .some((keyword) => keyword !== '' && message.includes(keyword))
}
