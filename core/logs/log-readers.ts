// Jobs of plugins that read the usage log row by row, to keep what shall outlive it. Old rows are not deleted before these have read them; one that
// throws, hangs or gets no further is named in the log and waited for no longer.
import type { Job } from '../contract/plugin.ts'
import type { Logger } from '../contract/services.ts'
import { withTimeout } from '../kernel/with-timeout.ts'

/** Of one call of `readLog`, which may read a part. */
const PART_MS = 30_000
/** However small its parts are. */
const MOST_MS = 600_000

export interface OwnedJob {
  owner: string
  entry: Job
}

export interface ReaderDeps {
  log: Logger
  /** Of the current generation. */
  jobs: () => readonly OwnedJob[]
  partMs?: number
  mostMs?: number
}

/** Those that one clearing waits for. */
export class LogReaders {
  readonly #deps: ReaderDeps | undefined
  readonly #failed = new Set<string>()

  constructor(deps: ReaderDeps | undefined) {
    this.#deps = deps
  }

  /** Resolves when each has read the rows up to this id, or has failed. */
  async readTo(id: number): Promise<void> {
    await Promise.all(this.#list().map((reader) => this.#read(reader, id)))
  }

  #list(): readonly OwnedJob[] {
    const jobs = this.#deps?.jobs() ?? []
    return jobs.filter(({ entry }) => entry.readLog !== undefined && !this.#failed.has(entry.id))
  }

  async #read({ owner, entry }: OwnedJob, id: number): Promise<void> {
    const { partMs = PART_MS, mostMs = MOST_MS, log } = this.#deps as ReaderDeps
    const end = performance.now() + mostMs
    try {
      for (let reached = -Infinity; reached < id; ) {
        const next = await readPart(entry, id, partMs)
        if (!(next > reached)) throw new Error('readLog() gets no further')
        if (performance.now() > end) throw new Error('readLog() reads too little at once')
        reached = next
      }
    } catch (error) {
      this.#failed.add(entry.id)
      log.error(
        { err: error, plugin: owner, job: entry.id },
        'a job did not read the usage log; rows are deleted that it does not know',
      )
    }
  }
}

async function readPart({ readLog }: Job, id: number, ms: number): Promise<number> {
  const abort = new AbortController()
  try {
    return await withTimeout(ms, 'readLog()', readLog?.(id, abort.signal) ?? id)
  } finally {
    abort.abort()
  }
}
