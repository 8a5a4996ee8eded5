// Plugin jobs that read the usage log row by row, to keep what must outlive it. Old rows are deleted only after these
// jobs have read them. A job that throws, hangs or makes no progress is logged and not waited for any longer.
import type { Job } from '../contract/plugin.ts'
import type { Logger } from '../contract/services.ts'
import { withTimeout } from '../kernel/with-timeout.ts'

/** Time limit of one call of `readLog`, which may read a part of the rows. */
const PART_MS = 30_000
/** Time limit of all parts together. */
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

/** The jobs that one deletion waits for. */
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
