// A worker goes on with the next file in the same process: what a test of this one left behind is not of that one.
import { afterAll, vi } from 'vitest'
import './harness/run/quick-hashes.ts'

const variables = { ...process.env }
const folder = process.cwd()

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name]
  Object.assign(process.env, variables)
  process.chdir(folder)
})
