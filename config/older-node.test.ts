// The Node of the packages does not run here: what `npm ci` does then.
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'

const run = promisify(execFile)
const script = fileURLToPath(new URL('older-node/use.sh', import.meta.url))
let root: string

async function program(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), `#!/bin/sh\n${text}\n`)
  await chmod(join(root, path), 0o755)
}

/** @param onPath what the Node on the PATH does when it is asked for its version's sake
 *  @param npm what npm does */
async function useOlder({ onPath, npm }: { onPath: string; npm: string }): Promise<string> {
  await program('bin/node', onPath)
  await program('bin/npm-node', npm)
  const { stdout } = await run('sh', ['config/older-node/use.sh'], {
    cwd: root,
    env: {
      PATH: `${join(root, 'node_modules/.bin')}:${join(root, 'bin')}:/usr/bin:/bin`,
      npm_node_execpath: join(root, 'bin/npm-node'),
      npm_execpath: 'npm-cli.js',
    },
  })
  return stdout
}

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'tollgate-older-node-')))
  await mkdir(join(root, 'config/older-node'), { recursive: true })
  await cp(script, join(root, 'config/older-node/use.sh'))
  await program('node_modules/.bin/node', 'exit 127')
})
afterEach(() => rm(root, { recursive: true }))

const brings = `echo "$@" > asked
mkdir -p config/older-node/node_modules/.bin
printf '#!/bin/sh\\necho v24\\n' > config/older-node/node_modules/.bin/node
chmod +x config/older-node/node_modules/.bin/node`

it('brings an older one and puts it in its place', async () => {
  expect(await useOlder({ onPath: 'exit 1', npm: brings })).toBe('v24\n')
  const asked = await readFile(join(root, 'asked'), 'utf8')
  expect(asked).toBe('npm-cli.js ci --prefix config/older-node --ignore-scripts\n')
  const { stdout } = await run(join(root, 'node_modules/.bin/node'))
  expect(stdout).toBe('v24\n')
})

it('leaves the work to the one on the PATH if that is new enough', async () => {
  await useOlder({ onPath: 'exit 0', npm: brings })
  await expect(readFile(join(root, 'asked'))).rejects.toThrow('ENOENT')
  await expect(readFile(join(root, 'node_modules/.bin/node'))).rejects.toThrow('ENOENT')
})

it('says what to install where npm cannot bring it', async () => {
  const ended = useOlder({ onPath: 'exit 1', npm: 'exit 1' })
  await expect(ended).rejects.toMatchObject({ code: 1 })
  await expect(ended).rejects.toThrow('libatomic1')
})
