// Polls unfinished tasks until they end. Its only state is its position in the table, so a restart costs one round.
import type { Job } from '../contract/plugin.ts'
import type { RoutedChannel } from '../channels/routing/routed-channel.ts'
import type { TaskPlatform } from '../contract/task.ts'
import { UpstreamError } from '../contract/errors.ts'
import { readFailure } from '../upstream-failures/read-failure-body.ts'
import { applyReport, failTask } from './progress.ts'
import type { TaskDeps, TaskPlatforms } from './task-deps.ts'
import type { TaskRow } from '../data/models/task.ts'
import { viewWithKey } from './task-key.ts'

/** Unfinished rows per query; a round reads as many pages as it has time for. */
const rowsPerPage = 500
const callsAtOnce = 8
/** Limited, so that a slow upstream leaves capacity for others. */
const callsAtOnceOfChannel = 4
const callTimeoutMs = 15_000
/** After this time a row without an upstream id must belong to a submit that a crash has interrupted: all attempts are over by then. */
const submitGraceMs = 180_000
/** A difference of the two clocks that grows by more than this between rounds means that somebody has set the machine's. */
const settingMs = 60_000

export function pollTasksJob(
  platforms: TaskPlatforms,
  deps: TaskDeps,
  options: { everySeconds: number; now?: () => number; steadyNow?: () => number },
): Job {
  const roundMs = options.everySeconds * 1000
  const { now = Date.now, steadyNow = () => performance.now() } = options
  const poller = new TaskPoller(platforms, deps, { roundMs, now, steadyNow })
  return {
    id: 'tasks.poll',
    isLeaderOnly: true,
    everyMs: roundMs,
    run: (signal) => poller.round(signal),
  }
}

/** Tasks of one platform on one channel and key; they are asked for in one call. */
interface Group {
  platform: TaskPlatform
  channelId: number
  keyHash: string
  tasks: TaskRow[]
}

/** The calls of one round. */
interface Round {
  signal: AbortSignal
  /** Calls under way, by channel. */
  open: Map<number, number>
  /** Channels whose upstream has not answered: each further call would delay the others until its time limit. */
  silent: Set<number>
}

class TaskPoller {
  readonly #platforms: ReadonlyMap<string, TaskPlatform>
  readonly #deps: TaskDeps
  readonly #roundMs: number
  readonly #now: () => number
  /** By a clock that nobody sets. */
  readonly #steadyNow: () => number
  readonly #startedMs: number
  /** How far the machine's clock is from the steady one. */
  #clockAwayMs: number
  /** When it was noticed, by the steady clock, that the machine's was set. */
  #clockSetMs = Number.NEGATIVE_INFINITY
  /** The id of the row that was read last; 0 starts from the beginning. */
  #place = 0

  constructor(
    platforms: TaskPlatforms,
    deps: TaskDeps,
    { roundMs, now, steadyNow }: { roundMs: number; now: () => number; steadyNow: () => number },
  ) {
    this.#platforms = new Map(platforms.map((platform) => [platform.id, platform]))
    this.#deps = deps
    this.#roundMs = roundMs
    this.#now = now
    this.#steadyNow = steadyNow
    this.#startedMs = steadyNow()
    this.#clockAwayMs = now() - this.#startedMs
  }

  async round(signal: AbortSignal): Promise<void> {
    const endMs = performance.now() + this.#roundMs
    const round: Round = { signal, open: new Map(), silent: new Set() }
    this.#noticeSetting()
    do await this.#page(round)
    while (this.#place > 0 && !signal.aborted && performance.now() < endMs)
  }

  #noticeSetting(): void {
    const awayMs = this.#now() - this.#steadyNow()
    const isSet = Math.abs(awayMs - this.#clockAwayMs) > settingMs
    this.#clockAwayMs = awayMs
    if (isSet) this.#clockSetMs = this.#steadyNow()
  }

  async #page(round: Round): Promise<void> {
    const rows = await this.#deps.store.open([...this.#platforms.keys()], this.#place, rowsPerPage)
    this.#place = rows.length < rowsPerPage ? 0 : (rows.at(-1)?.id ?? 0)
    const groups = this.#groupsOf(rows)
    const { open, signal } = round
    const next = (): Group | undefined => {
      const isFree = ({ channelId }: Group) => (open.get(channelId) ?? 0) < callsAtOnceOfChannel
      const at = groups.findIndex(isFree)
      return at < 0 || signal.aborted ? undefined : groups.splice(at, 1)[0]
    }
    // A worker that finds no channel with a free place ends; those at work on these channels take the rest.
    const workers = Array.from({ length: callsAtOnce }, async () => {
      for (let group = next(); group; group = next()) {
        const { channelId } = group
        open.set(channelId, (open.get(channelId) ?? 0) + 1)
        await this.#follow(group, round)
        open.set(channelId, (open.get(channelId) ?? 1) - 1)
      }
    })
    await Promise.all(workers)
  }

  #groupsOf(rows: readonly TaskRow[]): Group[] {
    const open = new Map<string, Group>()
    const groups: Group[] = []
    for (const task of rows) {
      const platform = this.#platforms.get(task.platform)
      if (platform === undefined) continue
      const { channel_id: channelId, key_hash: keyHash } = task
      const name = `${task.platform}/${channelId}/${keyHash}`
      let group = open.get(name)
      if (group === undefined || group.tasks.length >= platform.poll.idsPerCall) {
        group = { platform, channelId, keyHash, tasks: [] }
        open.set(name, group)
        groups.push(group)
      }
      group.tasks.push(task)
    }
    return groups
  }

  /** An error in one group must not keep the others from being polled. */
  async #follow(group: Group, round: Round): Promise<void> {
    const { platform, channelId } = group
    const place = { platform: platform.id, channelId }
    try {
      await this.#endInterrupted(group)
      const tasks = group.tasks.filter(({ task_id }) => task_id !== '')
      if (tasks.length === 0) return
      const channel = this.#deps.index().find(channelId)
      if (channel === undefined && !(await this.#deps.store.hasChannel(channelId)))
        return await this.#failAll(tasks, `channel ${channelId} does not exist any more`, platform)
      let isAnswered = false
      if (channel !== undefined && !round.silent.has(channelId))
        isAnswered = await this.#ask({ ...group, tasks }, channel, round).then(
          () => true,
          (error: unknown) => {
            this.#deps.log.warn({ err: error, ...place }, 'tasks could not be polled')
            return false
          },
        )
      if (!round.signal.aborted) await this.#endOld(tasks, platform, isAnswered)
    } catch (error) {
      this.#deps.log.error({ err: error, ...place }, 'polled tasks could not be written down')
    }
  }

  async #ask(
    { platform, channelId, keyHash, tasks }: Group,
    channel: RoutedChannel,
    { signal, silent }: Round,
  ): Promise<void> {
    const { poll } = platform
    const view = viewWithKey(channel, keyHash, this.#deps.secrets)
    const options = {
      ...channel.httpOptions,
      signal,
      firstByteTimeoutMs: callTimeoutMs,
      idleTimeoutMs: callTimeoutMs,
    }
    const answered = this.#deps.http.json(poll.request(tasks, view), options)
    const { status, body } = await answered.catch((error: unknown) => {
      silent.add(channelId)
      throw error
    })
    if (status < 200 || status > 299) throw new UpstreamError(readFailure(status, body))
    const reports = new Map(poll.read(body).map((report) => [report.taskId, report]))
    for (const task of tasks) {
      const report = reports.get(task.task_id)
      if (report !== undefined) await applyReport(task, report, platform, this.#deps)
    }
  }

  /** Fails tasks that have a charge but no upstream id, since they cannot be followed. Without a charge the submit may still be running. */
  async #endInterrupted({ platform, tasks }: Group): Promise<void> {
    for (const task of tasks.filter(({ task_id }) => task_id === '')) {
      if (task.quota > 0) await failTask(task, 'the upstream named no task', platform, this.#deps)
      else if (this.#ageMs(task) > submitGraceMs)
        await this.#deps.store.endUncharged(task.id, { reason: 'the submit was interrupted' })
    }
  }

  /** Runs after the poll, so that a gateway that was away for long first learns the state of its tasks. While no upstream answers, as long as
   *  it starts itself, only the time counts for which this poller has asked. */
  async #endOld(
    tasks: readonly TaskRow[],
    platform: TaskPlatform,
    isAnswered: boolean,
  ): Promise<void> {
    const { lifetimeMs } = platform.poll
    const askedMs = isAnswered ? Number.POSITIVE_INFINITY : this.#steadyNow() - this.#startedMs
    const old = tasks.filter((task) => Math.min(this.#ageMs(task), askedMs) > lifetimeMs)
    const minutes = Math.round(lifetimeMs / 60_000)
    await this.#failAll(old, `the upstream did not finish within ${minutes} minutes`, platform)
  }

  async #failAll(tasks: readonly TaskRow[], reason: string, platform: TaskPlatform): Promise<void> {
    for (const task of tasks) await failTask(task, reason, platform, this.#deps)
  }

  /** By the gateway's own clock, because the upstream's submit time may be anything; no more than the time since that clock was set, which makes
   *  no task older. */
  #ageMs(task: TaskRow): number {
    return Math.min(this.#now() - task.created_at * 1000, this.#steadyNow() - this.#clockSetMs)
  }
}
