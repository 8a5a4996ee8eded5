// A full disk for one process, without privileges: none of its files may grow.
import { spawnSync } from 'node:child_process'
import type { App } from '../app.ts'

/** Whether this machine supports it (util-linux). */
export const canFillDisk = spawnSync('prlimit', ['--version']).status === 0

/** @throws Error if it was refused */
export function fillDisk(app: App): void {
  limitFiles(app.process.pid, '4096')
}

/** @throws Error if it was refused */
export function freeDisk(app: App): void {
  limitFiles(app.process.pid, 'unlimited')
}

/** @throws Error if it was refused */
export function limitFiles(pid: number, bytes: string): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
  if (status !== 0) throw new Error(String(stderr))
}
