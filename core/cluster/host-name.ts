import { hostname } from 'node:os'

/** What admins read of a node: the machine and the process. */
export function hostName(): string {
  return `${hostname()} (${process.pid})`
}
