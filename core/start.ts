// What is run as a process: core/main.ts, with what an earlier process has compiled and kept at its end, the sources without their types included:
// a third of a start's processor time. Where the folder belongs to somebody else, as the code should on a server, each start compiles all of it,
// unless NODE_COMPILE_CACHE names a folder of one's own.
import { enableCompileCache } from 'node:module'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// The first process of a container has no signal that ends it but those it listens to: until main.ts does, there is nothing to bring to an end.
const stop = () => process.exit(0)
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
for (const signal of signals) process.on(signal, stop)

// A rotation of log files may send one of these, as to programs that then open their file anew. Node would end at the second, and at the first open
// its debugger to every user of the machine.
for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => undefined)

// V8 moves what a line of code makes straight into the old generation once much of it has survived, and never asks again. In half of all processes the
// first seconds of load decided so for objects of a call: 530 instead of 335 MB, an eighth more processor time (core/PERFORMANCE.md).
setFlagsFromString('--no-allocation-site-pretenuring')

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/tollgate', import.meta.url)))
// Only what is imported after that line comes from there.
const { begin } = await import('./main.ts')
// Loading holds up the event loop, and a signal that came meanwhile is heard in its next turn.
await turn()
begin()
for (const signal of signals) process.off(signal, stop)
