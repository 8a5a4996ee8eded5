import { afterEach, expect, it, vi } from 'vitest'
import { readEnvironment } from '../../config/environment.ts'
import { settingsOf } from '../../config/settings.ts'
import type { Log } from '../observability/log.ts'
import { warnOfLittleMemory } from './little-memory.ts'

const MIB = 1_048_576

afterEach(() => void vi.restoreAllMocks())

/** What a start says in a container of so much memory. */
function saidWith(memoryBytes: number, variables: Record<string, string> = {}): unknown[] {
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(memoryBytes)
  const said: unknown[] = []
  const log = { warn: (fields: unknown) => said.push(fields) } as Partial<Log> as Log
  warnOfLittleMemory(settingsOf(readEnvironment(variables), '1.0.0').memoryBytes, log)
  return said
}

it('a container whose memory is too little for a process is named at the start', () => {
  expect(saidWith(384 * MIB)).toEqual([{ memoryMiB: 384, leastMiB: 512 }])
  expect(saidWith(512 * MIB)).toEqual([])
})

it('as is one that is shared by too many workers', () => {
  const variables = { DATABASE_URL: 'postgres://localhost/x', WORKERS: '4' }
  expect(saidWith(1024 * MIB, variables)).toEqual([{ memoryMiB: 256, leastMiB: 512 }])
})
