import type { LiveFigures } from '../schema.ts'

export interface Minute {
  calls: number
  failed: number
  tokens: number
  units: number
  inFlight: number
  /** The 95th percentile of the slowest process, because percentiles cannot be added. */
  durationMs: number | null
  firstByteMs: number | null
}

export function minuteOf(nodes: LiveFigures['nodes']): Minute {
  const sum = (read: (node: LiveFigures['nodes'][number]) => number) =>
    nodes.reduce((total, node) => total + read(node), 0)
  return {
    calls: sum(({ calls }) => calls),
    failed: sum(({ failed }) => failed),
    tokens: sum(({ tokens }) => tokens),
    units: sum(({ units }) => units),
    inFlight: sum(({ in_flight }) => in_flight),
    durationMs: worst(nodes.map(({ duration_p95_ms }) => duration_p95_ms)),
    firstByteMs: worst(nodes.map(({ first_byte_p95_ms }) => first_byte_p95_ms)),
  }
}

function worst(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}
