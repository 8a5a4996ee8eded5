// For NODE_OPTIONS=--import: a process whose wall clock SIGUSR2 sets to what the file CLOCK_FILE says, in milliseconds away from the
// true time. Only Date knows of it, as only the wall clock jumps on a machine; performance.now and timers go on.
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
