// Plain JavaScript, because it must run on whatever Node is there: says which one is needed where the packages brought none.
import { pathToFileURL } from 'node:url'

const NEEDED = [24, 7]
const [major, minor] = process.versions.node.split('.').map(Number)

export const isNewEnough = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])

export function tellNeeded() {
  process.stderr.write(
    `Tollgate needs Node ${NEEDED.join('.')} or newer; this is ${process.versions.node}.\n` +
      `No Node binary is packaged for ${process.platform}-${process.arch} (or optional packages were left out): ` +
      `install Node ${NEEDED[0]} and put it on the PATH.\n`,
  )
  process.exit(1)
}

const isCommand = process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href
if (isCommand && !isNewEnough) tellNeeded()
