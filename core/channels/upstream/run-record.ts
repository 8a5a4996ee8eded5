import { randomUUID } from 'node:crypto'
import type { ChannelRun, ChannelRunKind } from '../../contract/channel-services.ts'
import type { DatabaseService, Logger } from '../../contract/services.ts'
import { hostName } from '../../cluster/host-name.ts'
import { beginRun, endRun, noteRun, type RunCounts } from './channel-runs-sql.ts'

/** Time between two notes of the progress; so long does a run on another node take to hear that it is to stop. */
const NOTE_MS = 2_000

interface RecordDeps {
  database: DatabaseService
  log: Logger
}

/** One run over all channels, with its row that all nodes read. Ends with `end`. */
export class RunRecord {
  readonly counts: RunCounts = { done: 0, failed: 0, skipped: 0 }
  readonly #deps: RecordDeps
  readonly #names: { kind: ChannelRunKind; claim: string }
  readonly #stopped = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor(deps: RecordDeps, names: { kind: ChannelRunKind; claim: string }) {
    this.#deps = deps
    this.#names = names
    this.#timer = setInterval(() => void this.#note(), NOTE_MS)
  }

  /** Undefined while another run of this kind is under way, on any node. */
  static async begin(
    deps: RecordDeps,
    begun: Pick<ChannelRun, 'kind' | 'username' | 'total'>,
  ): Promise<RunRecord | undefined> {
    const claim = randomUUID()
    const isBegun = await beginRun(deps.database, { ...begun, claim, host: hostName() })
    return isBegun ? new RunRecord(deps, { kind: begun.kind, claim }) : undefined
  }

  /** Aborted when somebody stops the run. */
  get signal(): AbortSignal {
    return this.#stopped.signal
  }

  stop(): void {
    this.#stopped.abort()
  }

  async end(state: ChannelRun['state']): Promise<void> {
    clearInterval(this.#timer)
    const { database, log } = this.#deps
    await endRun(database, { ...this.#names, ...this.counts, state }).catch((error: unknown) =>
      log.error({ err: error, kind: this.#names.kind }, 'how a channel run ended cannot be noted'),
    )
  }

  /** A note that fails is made up for by the next one. */
  async #note(): Promise<void> {
    const goesOn = await noteRun(this.#deps.database, { ...this.#names, ...this.counts }).catch(
      () => true,
    )
    if (!goesOn) this.stop()
  }
}
