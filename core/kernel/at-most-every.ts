/** Tells whether it is time again, at once and then at most once in `ms`: for log lines about what fails again and again. */
export function atMostEvery(ms: number): () => boolean {
  let lastMs = -Infinity
  return () => {
    const nowMs = performance.now()
    if (nowMs - lastMs < ms) return false
    lastMs = nowMs
    return true
  }
}
