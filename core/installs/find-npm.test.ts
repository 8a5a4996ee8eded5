import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findNpm } from './find-npm.ts'
import { installDependencies } from './npm.ts'

let work: string
const put = async (path: string, text = '') => {
  const file = join(work, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'tollgate-find-npm-'))
})
afterAll(() => rm(work, { recursive: true, force: true }))

describe('npm on Windows', () => {
  const on = (PATH: string, node = '/nowhere/node.exe') =>
    findNpm({ environment: { Path: PATH }, node, platform: 'win32' })

  it('is the script that its batch file would run, beside that file', async () => {
    await put('nodejs/npm.cmd')
    const script = await put('nodejs/node_modules/npm/bin/npm-cli.js')
    const words = { command: '/nowhere/node.exe', words: [script] }
    expect(on(`C:\\Windows;"${work}/nodejs"`)).toEqual(words)
    expect(on(`${work}/nodejs;C:\\Windows`)).toEqual(words)
  })

  it('is a program, where a version manager has one', async () => {
    const program = await put('manager/npm.exe')
    expect(on(`${work}/manager;${work}/nodejs`)).toEqual({ command: program, words: [] })
  })

  it('is found beside the Node that runs, and nowhere else', async () => {
    await put('beside/node_modules/npm/bin/npm-cli.js')
    const node = join(work, 'beside', 'node.exe')
    expect(on('C:\\Windows', node)?.command).toBe(node)
    expect(on('C:\\Windows')).toBeUndefined()
    expect(on('.;beside', '/nowhere/node.exe')).toBeUndefined()
  })

  it('runs without a shell', async () => {
    const script = `require('node:fs').writeFileSync('said.json', JSON.stringify(process.argv.slice(2)))`
    await put('fake/node_modules/npm/bin/npm-cli.js', script)
    await put('plugin/package.json', '{}')
    const environment = { PATH: join(work, 'fake') }
    const { execPath: node } = process
    await installDependencies(join(work, 'plugin'), { environment, node, platform: 'win32' })
    const said = JSON.parse(await readFile(join(work, 'plugin/said.json'), 'utf8')) as string[]
    expect(said).toContain('--ignore-scripts')
  })
})

describe('npm elsewhere', () => {
  const on = (PATH: string, node = '/nowhere/bin/node') =>
    findNpm({ environment: { PATH }, node, platform: 'linux' })

  it('is on the PATH, else beside Node', async () => {
    const program = await put('bin/npm')
    const script = await put('usr/lib/node_modules/npm/bin/npm-cli.js')
    const node = join(work, 'usr/bin/node')
    expect(on(`/nowhere:${work}/bin`, node)).toEqual({ command: program, words: [] })
    expect(on('/nowhere', node)).toEqual({ command: node, words: [script] })
    expect(on('/nowhere')).toBeUndefined()
  })
})

describe('what npm brings', () => {
  const install = async (script: string) => {
    await put('greedy/usr/lib/node_modules/npm/bin/npm-cli.js', script)
    const folder = await mkdtemp(join(work, 'plugin-'))
    const node = join(work, 'greedy/usr/bin/node')
    await mkdir(dirname(node), { recursive: true })
    await rm(node, { force: true })
    await symlink(process.execPath, node)
    return installDependencies(folder, { environment: { PATH: '' }, node })
  }

  it('is ended while it grows beyond its bounds', async () => {
    const forever = `
      const { mkdirSync, truncateSync, writeFileSync } = require('node:fs')
      mkdirSync('node_modules/big', { recursive: true })
      writeFileSync('node_modules/big/hole', '')
      truncateSync('node_modules/big/hole', 257 * 1_048_576)
      setInterval(() => {}, 1_000)`
    await expect(install(forever)).rejects.toThrow(
      /npm brings more than 20000 files or 256 MiB for its dependencies/,
    )
  })

  it('is looked at once more when it has ended', async () => {
    const many = `
      const { linkSync, mkdirSync, writeFileSync } = require('node:fs')
      mkdirSync('node_modules')
      writeFileSync('node_modules/file', '')
      for (let at = 0; at < 20_000; at += 1) linkSync('node_modules/file', 'node_modules/' + at)`
    await expect(install(many)).rejects.toThrow(/more than 20000 files/)
  })

  it('may be an ordinary amount', async () => {
    await expect(
      install(`require('node:fs').mkdirSync('node_modules/a', { recursive: true })`),
    ).resolves.toBeUndefined()
  })
})
