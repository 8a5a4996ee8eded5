// For NODE_OPTIONS=--import: on SIGUSR2, sets the clock of a process to the offset in the file CLOCK_FILE, in
// milliseconds from the true time. Only Date changes, as only the wall clock jumps on a real machine; performance.now
// and timers continue.
import { readFileSync } from 'node:fs'

const TrueDate = Date
let shiftMs = 0

class MovedDate extends TrueDate {
  constructor(...parts) {
    if (parts.length === 0) super(TrueDate.now() + shiftMs)
    else super(...parts)
  }

  static now() {
    return TrueDate.now() + shiftMs
  }
}

globalThis.Date = MovedDate
process.on('SIGUSR2', () => {
  shiftMs = Number(readFileSync(process.env.CLOCK_FILE, 'utf8'))
  process.stdout.write(`the clock stands ${shiftMs} ms away\n`)
})
