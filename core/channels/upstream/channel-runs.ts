import { AppError } from '../../contract/errors.ts'
import type { OptionReader } from '../../contract/adapter.ts'
import type { ChannelRun, ChannelRunKind } from '../../contract/channel-services.ts'
import type { EventBus } from '../../contract/events.ts'
import type { Actor, DatabaseService, Logger } from '../../contract/services.ts'
import { channelTestRunning } from '../channel-errors.ts'
import { type AutomaticStatus, channelStatus } from '../../contract/constants.ts'
import type { TestOutcome } from './test-channel.ts'
import type { ChannelHealth } from '../health/health.ts'
import type { RoutedChannel } from '../routing/routed-channel.ts'
import { askToStop, readRuns } from './channel-runs-sql.ts'
import { RunRecord } from './run-record.ts'

export interface RunDeps {
  database: DatabaseService
  channels: () => RoutedChannel[]
  /** `signal` cuts the call off. */
  test(channel: RoutedChannel, actor: Actor, signal: AbortSignal): Promise<TestOutcome>
  balance(channel: RoutedChannel): Promise<number>
  setAutomatic(id: number, status: AutomaticStatus, reason: string): Promise<void>
  health: ChannelHealth
  options: OptionReader
  events: EventBus
  log: Logger
}

/** What a run found out about a channel; nothing is counted of one that was cut off. */
type Found = 'sound' | 'failed' | undefined

interface Run {
  kind: ChannelRunKind
  /** Empty where the schedule begins it. */
  username: string
  channels: readonly RoutedChannel[]
  work(channel: RoutedChannel, signal: AbortSignal): Promise<Found>
  /** Called when no channel is left. */
  done?(counts: RunRecord['counts']): void
}

const parallel = 4
/** Their upstreams offer nothing that could be asked. */
const unsupported: ReadonlySet<string> = new Set([
  'channel.test_unsupported',
  'channel.balance_unsupported',
])

/** Background work over all channels; one run of each kind at a time, on all nodes together. */
export class ChannelRuns {
  readonly #deps: RunDeps
  readonly #running = new Map<ChannelRunKind, { record: RunRecord; ended: Promise<void> }>()
  #isClosed = false

  constructor(deps: RunDeps) {
    this.#deps = deps
  }

  /** Tests all channels, including disabled ones.
   *  @throws channel.test_running */
  async startTests(actor: Actor, username: string): Promise<void> {
    const isBegun = await this.#start({
      kind: 'test',
      username,
      channels: this.#deps.channels(),
      work: (channel, signal) => this.#test(channel, actor, signal),
      done: ({ done, failed, skipped }) =>
        this.#deps.events.emit('channels.tested', { tested: done - skipped, failed }),
    })
    if (!isBegun) throw channelTestRunning()
  }

  /** Does nothing if a run is already under way. */
  async startBalances(username: string): Promise<void> {
    await this.#start({
      kind: 'balance',
      username,
      channels: this.#deps.channels().filter((channel) => channel.isEnabled),
      work: (channel) => this.#balance(channel),
    })
  }

  /** The runs that were begun last, one of each kind, on whichever node. */
  read(): Promise<ChannelRun[]> {
    return readRuns(this.#deps.database)
  }

  /** Asks a run to stop; one on another node hears of it within seconds. */
  async stop(kind: ChannelRunKind, username: string): Promise<void> {
    await askToStop(this.#deps.database, { kind, username })
    this.#running.get(kind)?.record.stop()
  }

  /** Starts no further calls and waits for the running ones. */
  async close(): Promise<void> {
    this.#isClosed = true
    const runs = [...this.#running.values()]
    for (const { record } of runs) record.stop()
    await Promise.all(runs.map(({ ended }) => ended))
  }

  async #start(run: Run): Promise<boolean> {
    const { kind, username, channels } = run
    if (this.#isClosed || this.#running.has(kind)) return false
    const record = await RunRecord.begin(this.#deps, { kind, username, total: channels.length })
    if (record === undefined) return false
    const ended = this.#work(run, record).finally(() => this.#running.delete(kind))
    this.#running.set(kind, { record, ended })
    return true
  }

  async #work(run: Run, record: RunRecord): Promise<void> {
    try {
      await this.#each(run, record)
    } catch (error) {
      this.#deps.log.error({ err: error, kind: run.kind }, 'channel run failed')
      return record.end('failed')
    }
    if (this.#isClosed) return record.end('lost')
    if (record.signal.aborted) return record.end('stopped')
    await record.end('done')
    run.done?.(record.counts)
  }

  async #test(channel: RoutedChannel, actor: Actor, signal: AbortSignal): Promise<Found> {
    const outcome = await this.#deps.test(channel, actor, signal)
    // A test that was cut off says nothing about its channel.
    if (signal.aborted) return undefined
    await this.#judge(channel, outcome)
    return outcome.error === undefined ? 'sound' : 'failed'
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

  async #balance(channel: RoutedChannel): Promise<Found> {
    const dollars = await this.#deps.balance(channel)
    if (dollars <= 0 && channel.mayBeDisabled) {
      await this.#deps.setAutomatic(
        channel.id,
        channelStatus.disabledAutomatically,
        'insufficient balance',
      )
    }
    return 'sound'
  }

  /** Goes on with the next channel if one refuses because it is not supported or not reachable. */
  async #each({ channels, work }: Run, { counts, signal }: RunRecord): Promise<void> {
    const queue = channels.values()
    const lane = async () => {
      for (const channel of queue) {
        if (this.#isClosed || signal.aborted) return
        const found = await work(channel, signal).catch((error: unknown) =>
          this.#refused(channel, error),
        )
        if (found === undefined) continue
        counts.done += 1
        if (found !== 'sound') counts[found] += 1
      }
    }
    await Promise.all(Array.from({ length: parallel }, lane))
  }

  #refused(channel: RoutedChannel, error: unknown): 'failed' | 'skipped' {
    if (error instanceof AppError) return unsupported.has(error.code) ? 'skipped' : 'failed'
    this.#deps.log.warn({ err: error, channelId: channel.id }, 'channel left out of a run')
    return 'failed'
  }
}
