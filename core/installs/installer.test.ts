// What is handed in is hostile until it lies in its place: every refusal says what to do, and leaves nothing behind.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packed, packedPlugin } from '../../test/journeys/plugins/packed-plugin.ts'
import { Installer } from './installer.ts'
import { checkSpec } from './npm.ts'
import { PluginStore } from './plugin-store.ts'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const manifest = (rest: string) =>
  `import { definePlugin } from 'tollgate'\nexport default definePlugin({ contract: '^1.3', ${rest} })`
const sound = manifest(`id: 'acme', version: '1.0.0'`)

let dataDir: string
let store: PluginStore
let installer: Installer

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tollgate-install-'))
  store = new PluginStore(dataDir)
  await makeSmallHost()
  installer = installerOf({})
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

/** A host that gives plugins one function, for manifests that another process reads: to load the whole contract takes it most of its time.
 *  The process may read this checkout, where its own files are, as the packages of that host. */
async function makeSmallHost(): Promise<void> {
  await mkdir(join(smallHost(), 'core'), { recursive: true })
  await symlink(root, join(smallHost(), 'node_modules'))
  await writeFile(join(smallHost(), 'package.json'), '{"type":"module"}')
  const door = `export { definePlugin } from '${pathToFileURL(join(root, 'core/contract/plugin.ts')).href}'`
  await writeFile(join(smallHost(), 'core/index.ts'), door)
}

const smallHost = () => join(dataDir, 'host')

const installerOf = ({ host = smallHost(), loadTimeoutMs = 20_000 }) =>
  new Installer({
    store,
    root: host,
    loadTimeoutMs,
    environment: { PATH: '/nowhere' },
    node: '/nowhere/bin/node',
    isTaken: (id) => id === 'pricing',
  })
const upload = (bytes: Uint8Array, by = installer) => by.install({ kind: 'upload', bytes })
const kept = async () =>
  (await readdir(store.folder)).filter((name) => !['.staging', '.install.lock'].includes(name))

const packedZeros = gzipSync(Buffer.alloc(16 * 1_048_576))
/** So many MiB, in parts of which each is the same. */
const zeros = (mebibytes: number) => Array.from({ length: mebibytes / 16 }, () => packedZeros)

describe('a packed file', () => {
  it.each([
    ['no packed file', Buffer.from('hello'), /cannot be unpacked/],
    ['cut short', packedPlugin({ 'index.ts': sound }).subarray(0, 60), /cannot be unpacked/],
    ['without a module', packedPlugin({ 'readme.md': 'x' }), /no index\.ts/],
    ['leading up', packed([{ path: 'package/../../x.ts', text: sound }]), /leads out/],
    ['leading up at its end', packed([{ path: 'package/..', text: sound }]), /leads out/],
    ['at an absolute path', packed([{ path: '/tmp/tollgate-x.ts', text: sound }]), /leads out/],
    ['at a path of Windows', packed([{ path: 'C:\\x.ts', text: sound }]), /leads out/],
    [
      'of a link',
      packed([{ path: 'p/index.ts', type: 'SymbolicLink', linkpath: '/etc/passwd' }]),
      /is a link/,
    ],
    [
      'of a hard link',
      packed([{ path: 'p/index.ts', type: 'Link', linkpath: 'p/x' }]),
      /is a link/,
    ],
    [
      'of a device',
      packed([{ path: 'p/index.ts', type: 'CharacterDevice' }]),
      /is a link or a device/,
    ],
    [
      'that says to be huge',
      packed([{ path: 'p/index.ts', text: sound, size: 300 * 1_048_576 }]),
      /more than 20000 files or 256 MiB/,
    ],
    [
      'of too many files',
      packed(
        Array.from({ length: 20_001 }, (_, at) => ({
          path: `p/${at % 2}/`,
          type: 'Directory' as const,
        })),
      ),
      /more than 20000 files/,
    ],
    [
      'of far too many files',
      packed(Array.from({ length: 40_000 }, (_, at) => ({ path: `p/${at}.ts`, text: 'x' }))),
      /more than 20000 files/,
    ],
    [
      'that is large when unpacked',
      Buffer.concat([packed([{ path: 'p/zeros', size: 272 * 1_048_576 }]), ...zeros(272)]),
      /more than 20000 files or 256 MiB/,
    ],
    [
      'that goes on after its end',
      Buffer.concat([gzipSync(Buffer.alloc(1_024)), ...zeros(528)]),
      /more than 20000 files or 256 MiB/,
    ],
    [
      'too deep',
      packed([{ path: `${'d/'.repeat(190)}index.ts`, text: sound }]),
      /cannot be unpacked|too long/,
    ],
  ])('%s is refused', async (_, bytes, says) => {
    await expect(upload(bytes)).rejects.toThrow(says)
    expect(await kept()).toEqual([])
    expect(await readdir(join(store.folder, '.staging'))).toEqual([])
  })
})

describe('a manifest', () => {
  it.each([
    ['that throws', `throw new Error('out of order')`, /cannot be read: out of order/],
    ['that ends the process', `process.exit(0)`, /ended the process/],
    ['that is no code', `const a = 1\nexport default {`, /cannot be read: index\.ts:2: Unexpected/],
    ['that waits for nothing', `await new Promise(() => {})`, /waits for what never comes/],
    [
      'of a console part that was not built',
      manifest(`id: 'acme', version: '1.0.0', consoleModule: './dist/console.js'`),
      /"consoleModule" is "\.\/dist\/console\.js", which is not there\. Build it first/,
    ],
    ['that would end the gateway', `process.kill(process.ppid)`, /process\.kill is not there/],
    ['that would debug the gateway', `process._debugProcess(process.ppid)`, /_debugProcess is not/],
    ['that answers itself', `process.send(null)`, /process\.send is not there/],
    [
      'that writes files',
      `import { writeFileSync } from 'node:fs'; writeFileSync('/tmp/tollgate-wrote', 'x'); export default 1`,
      /cannot be read: Access/,
    ],
    ['without a version', manifest(`id: 'acme'`), /says no version/],
    ['of no id', manifest(`id: '../evil', version: '1.0.0'`), /is no id/],
    ['of a name of the gateway', manifest(`id: 'core', version: '1.0.0'`), /is no id/],
    [
      'of an id that is taken',
      manifest(`id: 'pricing', version: '1.0.0'`),
      /has a plugin "pricing"/,
    ],
  ])('%s is refused', async (_, source, says) => {
    await expect(upload(packedPlugin({ 'index.ts': source }))).rejects.toThrow(says)
    expect(await kept()).toEqual([])
    expect(existsSync('/tmp/tollgate-wrote')).toBe(false)
  })

  it('that hangs is refused', async () => {
    const source = `await new Promise(() => setInterval(() => {}, 1000))`
    const refused = upload(
      packedPlugin({ 'index.ts': source }),
      installerOf({ loadTimeoutMs: 1_500 }),
    )
    await expect(refused).rejects.toThrow(/took longer than 1500 ms/)
    expect(await kept()).toEqual([])
  })

  it('and a package.json that does not go with it are refused', async () => {
    const json = (value: unknown) =>
      packedPlugin({ 'index.ts': sound, 'package.json': JSON.stringify(value) })
    await expect(upload(json({ version: '1.0.1' }))).rejects.toThrow(/Make them the same/)
    await expect(upload(json({ dependencies: { tollgate: '*' } }))).rejects.toThrow(/peerDepend/)
    for (const place of ['file:../acme', 'link:/srv/acme', '../acme', '/srv/acme', '~/acme'])
      await expect(upload(json({ dependencies: { acme: place } }))).rejects.toThrow(
        /dependency "acme" is a folder/,
      )
    await expect(upload(json([]))).rejects.toThrow(/no JSON object/)
  })
})

describe('what is sound', () => {
  it('lies in its place with what is known of it, once', async () => {
    const source = manifest(`id: 'acme', version: '1.0.0', server({ routes }) {}`)
    const facts = await upload(
      packedPlugin({ 'dist/main.js': source, 'package.json': '{"main":"./dist/main.js"}' }),
      installerOf({ host: root }),
    )
    expect(facts).toMatchObject({
      id: 'acme',
      version: '1.0.0',
      entry: 'dist/main.js',
      asks: ['host:*', 'route:*', 'service:*'],
    })
    await expect(upload(packedPlugin({ 'index.ts': sound }))).rejects.toThrow(/installed already/)
    expect(await kept()).toEqual(['acme@1.0.0'])
    await store.exclusively(() => store.remove('acme', '1.0.0'))
    expect(await kept()).toEqual([])
  })

  it('comes from a folder as a copy, without links', async () => {
    const folder = join(dataDir, 'source')
    await mkdir(join(folder, 'node_modules', 'x'), { recursive: true })
    await writeFile(join(folder, 'index.ts'), sound)
    await installer.install({ kind: 'folder', path: folder })
    expect((await readdir(store.folderOf('acme', '1.0.0'))).sort()).toEqual([
      '.tollgate.json',
      'index.ts',
    ])
    await symlink('/etc/passwd', join(folder, 'secrets'))
    await writeFile(join(folder, 'index.ts'), sound.replace('1.0.0', '1.0.1'))
    await expect(installer.install({ kind: 'folder', path: folder })).rejects.toThrow(/is a link/)
    await expect(
      installer.install({ kind: 'folder', path: join(dataDir, 'none') }),
    ).rejects.toThrow(/is no folder/)
    expect(await kept()).toEqual(['acme@1.0.0'])
  })

  it('says of a folder that it cannot be read whole', async () => {
    const start = join(dataDir, 'deep')
    const room = 4_090 - start.length
    // Whole where it lies, too long a path where it is brought.
    const names = Array.from({ length: Math.floor(room / 201) }, () => 'd'.repeat(200))
    const deep = join(start, ...names, 'e'.repeat(Math.max(1, (room % 201) - 1)))
    await mkdir(deep, { recursive: true })
    await expect(installer.install({ kind: 'folder', path: start })).rejects.toThrow(
      /not all of the folder can be read/,
    )
  })

  it('is installed by one process at a time', async () => {
    await store.exclusively(async () => {
      await expect(upload(packedPlugin({ 'index.ts': sound }))).rejects.toThrow(/being installed/)
    })
  })

  it('needs an npm for a package, and says so where there is none', async () => {
    await expect(installer.install({ kind: 'npm', spec: 'acme' })).rejects.toThrow(
      /npm is not on the PATH/,
    )
  })
})

describe('names of packages', () => {
  it.each(['acme', 'acme@1.2.3', 'acme@^1.2 || 2.x', '@scope/acme@next', 'a.b_c-d@>=1 <2'])(
    '%s is one',
    (spec) => {
      expect(checkSpec(spec)).toBe(spec)
    },
  )

  it.each([
    '',
    '-g',
    '--prefix=/',
    './acme',
    '../acme',
    '/etc',
    'acme/evil',
    'git+https://example.com/x.git',
    'https://example.com/x.tgz',
    'github:a/b',
    'file:x',
    'acme@npm:other',
    'acme@file:../x',
    'acme@https://example.com/x.tgz',
    'acme; rm -rf /',
    'acme\n--global',
    'Acme',
    '@scope',
    'acme@',
    `a${'b'.repeat(300)}`,
  ])('%j is none', (spec) => {
    expect(() => checkSpec(spec)).toThrow(/no npm package/)
  })
})
