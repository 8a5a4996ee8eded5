import { AppError } from '../../contract/errors.ts'
import type { OptionReader } from '../../contract/adapter.ts'
import type { EventBus } from '../../contract/events.ts'
import type { Actor, Logger } from '../../contract/services.ts'
import { channelTestRunning } from '../channel-errors.ts'
import { type AutomaticStatus, channelStatus } from '../../contract/constants.ts'
import type { TestOutcome } from './test-channel.ts'
import type { ChannelHealth } from '../health/health.ts'
import type { RoutedChannel } from '../routing/routed-channel.ts'

export interface RunDeps {
  channels: () => RoutedChannel[]
  test(channel: RoutedChannel, actor: Actor): Promise<TestOutcome>
  balance(channel: RoutedChannel): Promise<number>
  setAutomatic(id: number, status: AutomaticStatus, reason: string): Promise<void>
  health: ChannelHealth
  options: OptionReader
  events: EventBus
  log: Logger
}

const parallel = 4

/** Background work over all channels; one run of each kind at a time. */
export class ChannelRuns {
  readonly #deps: RunDeps
  readonly #running = new Map<'test' | 'balance', Promise<void>>()
  #isClosed = false

  constructor(deps: RunDeps) {
    this.#deps = deps
  }

  /** Tests all channels, including disabled ones.
   *  @throws channel.test_running */
  startTests(actor: Actor): void {
    if (!this.#start('test', () => this.#testAll(actor))) throw channelTestRunning()
  }

  /** Does nothing if a run is already under way. */
  startBalances(): void {
    this.#start('balance', () => this.#balanceAll())
  }

  /** Starts no further calls and waits for the running ones. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#running.values())
  }

  #start(kind: 'test' | 'balance', run: () => Promise<void>): boolean {
    if (this.#isClosed || this.#running.has(kind)) return false
    const work = run()
      .catch((error: unknown) => this.#deps.log.error({ err: error, kind }, 'channel run failed'))
      .finally(() => this.#running.delete(kind))
    this.#running.set(kind, work)
    return true
  }

  async #testAll(actor: Actor): Promise<void> {
    const counts = { tested: 0, failed: 0 }
    await this.#each(this.#deps.channels(), async (channel) => {
      const outcome = await this.#deps.test(channel, actor)
      // A test that was cut off by the shutdown says nothing about its channel.
      if (this.#isClosed) return
      counts.tested += 1
      if (outcome.error !== undefined) counts.failed += 1
      await this.#judge(channel, outcome)
    })
    this.#deps.events.emit('channels.tested', counts)
  }

  async #judge(channel: RoutedChannel, outcome: TestOutcome): Promise<void> {
    if (channel.isEnabled) {
      const reason = outcome.error?.disables ? outcome.error.message : this.#slowness(outcome)
      if (outcome.error?.disables && channel.keyViews.length > 1) {
        // If the channel has several keys, the test used only one of them.
        const { message, key } = outcome.error
        await this.#deps.health.failed(channel, {
          failureClass: 'invalid-credentials',
          message,
          key,
        })
      } else if (reason !== undefined && channel.mayBeDisabled) {
        await this.#deps.setAutomatic(channel.id, channelStatus.disabledAutomatically, reason)
      }
      return
    }
    const isBack =
      channel.status === channelStatus.disabledAutomatically &&
      outcome.error === undefined &&
      this.#deps.options.get<boolean>('AutomaticEnableChannelEnabled')
    if (isBack) await this.#deps.setAutomatic(channel.id, channelStatus.enabled, '')
  }

  #slowness({ seconds }: TestOutcome): string | undefined {
    const { options } = this.#deps
    const limit = options.get<number>('ChannelDisableThreshold')
    if (!options.get<boolean>('AutomaticDisableChannelEnabled')) return undefined
    if (limit === 0 || seconds <= limit) return undefined
    return `response time ${seconds.toFixed(2)} s is above the limit of ${limit} s`
  }

  async #balanceAll(): Promise<void> {
    const enabled = this.#deps.channels().filter((channel) => channel.isEnabled)
    await this.#each(enabled, async (channel) => {
      const dollars = await this.#deps.balance(channel)
      if (dollars <= 0 && channel.mayBeDisabled) {
        await this.#deps.setAutomatic(
          channel.id,
          channelStatus.disabledAutomatically,
          'insufficient balance',
        )
      }
    })
  }

  /** Goes on with the next channel if one refuses because it is not supported or not reachable. */
  async #each(
    channels: readonly RoutedChannel[],
    work: (channel: RoutedChannel) => Promise<void>,
  ): Promise<void> {
    const queue = channels.values()
    const lane = async () => {
      for (const channel of queue) {
        if (this.#isClosed) return
        await work(channel).catch((error: unknown) => {
          if (error instanceof AppError) return
          this.#deps.log.warn({ err: error, channelId: channel.id }, 'channel left out of a run')
        })
      }
    }
    await Promise.all(Array.from({ length: parallel }, lane))
  }
}
