// Writes log lines to stdout. If its reader stops, its disk is full or its terminal is gone, the process must neither
// block nor end.
import { write, writeSync } from 'node:fs'

/** The most bytes that may wait; further lines are dropped. */
const MAX_WAITING = 8 * 1024 * 1024
/** The most bytes of one write. */
const PIECE_BYTES = 64 * 1024
/** Time before a full pipe is tried again. */
const FULL_PIPE_MS = 100
/** How long an ending process waits for a reader that takes nothing. */
const LAST_FLUSH_MS = 1_000
const LAST_PAUSE_MS = 10

export class LogOutput {
  readonly #dropped: (lines: number) => void
  readonly #file: number
  #lines: string[] = []
  /** The piece that is being written. */
  #piece = Buffer.alloc(0)
  #waitingBytes = 0
  #missing = 0
  #isWriting = false
  #isClosed = false

  /** @param dropped called with the number of lines that were dropped, as soon as lines can be written again */
  constructor(dropped: (lines: number) => void, file = process.stdout.fd || 1) {
    this.#dropped = dropped
    this.#file = file
  }

  write(line: string): void {
    if (this.#isClosed) return
    const bytes = Buffer.byteLength(line)
    if (this.#waitingBytes + bytes > MAX_WAITING) this.#missing += 1
    else {
      this.#waitingBytes += bytes
      this.#lines.push(line)
      waiting.add(this)
    }
    this.#writeOn()
  }

  /** Writes what is waiting, for at most a second, when the process ends. */
  writeLast(): void {
    const giveUpAtMs = performance.now() + LAST_FLUSH_MS
    const begun = this.#isWriting ? Buffer.alloc(0) : this.#piece
    let rest = Buffer.concat([begun, Buffer.from(this.#lines.splice(0).join(''))])
    while (rest.length > 0 && !this.#isClosed) {
      try {
        rest = rest.subarray(writeSync(this.#file, rest))
      } catch (error) {
        // An error of the log cannot be reported anywhere else.
        if (!isFull(error) || performance.now() > giveUpAtMs) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_PAUSE_MS)
      }
    }
  }

  #writeOn(): void {
    if (this.#isWriting || this.#isClosed) return
    if (!this.#takePiece()) {
      waiting.delete(this)
      return
    }
    this.#isWriting = true
    write(this.#file, this.#piece, (error, bytes) => {
      this.#isWriting = false
      if (error) this.#failed(error)
      else {
        this.#piece = this.#piece.subarray(bytes)
        this.#waitingBytes -= bytes
        this.#reportDropped()
        this.#writeOn()
      }
    })
  }

  /** The rest is tried again with the next line; by then there may be room on the disk. */
  #failed(error: NodeJS.ErrnoException): void {
    // The reader is gone for ever.
    if (error.code === 'EPIPE') this.#isClosed = true
    else if (isFull(error)) setTimeout(() => this.#writeOn(), FULL_PIPE_MS).unref()
  }

  /** Takes the next piece to write.
   *  @returns false if nothing is waiting */
  #takePiece(): boolean {
    if (this.#piece.length > 0) return true
    let [bytes, count] = [0, 0]
    while (count < this.#lines.length && bytes < PIECE_BYTES)
      bytes += Buffer.byteLength(this.#lines[count++] ?? '')
    this.#piece = Buffer.from(this.#lines.splice(0, count).join(''))
    return count > 0
  }

  #reportDropped(): void {
    const lines = this.#missing
    if (lines === 0 || this.#lines.length > 0) return
    this.#missing = 0
    this.#dropped(lines)
  }
}

/** Those that have not written everything. No others: a log leads to all of its gateway, which would stay in memory behind its end. */
const waiting = new Set<LogOutput>()
process.on('exit', () => {
  for (const output of waiting) output.writeLast()
})

/** Whether a pipe is full because its reader is slow. */
function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EAGAIN' || code === 'EBUSY'
}
