import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

// A gateway that does not start, because the plugin is faulty, leaves the hook that would close them with an error.
it.each(['scriptedUpstream', 'fakeUpstream'])(
  'lets the process of a test end that never closes its %s',
  async (upstream) => {
    const test = `import { ${upstream} } from '#test'; console.log((await ${upstream}()).url)`
    const words = ['--input-type=module', '--eval', test]
    const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 150_000 })
    expect(stdout).toMatch(/^http:/)
  },
)
