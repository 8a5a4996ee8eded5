/** Measures what follows in milliseconds of the processor, of this thread alone: what else runs on the machine does not count. */
export function processorTime(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
}
