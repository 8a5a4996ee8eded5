import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

// A gateway that does not start, because the plugin is faulty, leaves the hook that would close them with an error.
it('lets the process of a test end that never closes its upstreams', async () => {
  const test = `import { fakeUpstream, scriptedUpstream } from '#test'
for (const open of [fakeUpstream, scriptedUpstream]) console.log((await open()).url)`
  const words = ['--input-type=module', '--eval', test]
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 150_000 })
  expect(stdout).toMatch(/^http:\S+\nhttp:\S+\n$/)
})
