// Installs a version of a plugin: it is fetched into a staging folder, checked, and moved to its place in one step. It
// is not switched on.
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import semver from 'semver'
import { isObject, objectIn } from '../contract/json.ts'
import { entryOf, isPluginId } from '../kernel/discover.ts'
import { factsPath, type PluginFacts } from '../kernel/manifest/plugin-facts.ts'
import { refuse, versionThere } from './install-errors.ts'
import { inspect } from './inspect.ts'
import { installDependencies, type NpmPlace, packFromRegistry } from './npm.ts'
import type { PluginStore } from './plugin-store.ts'
import { copyPlugin, unpack } from './unpack.ts'

export type InstallSource =
  | { kind: 'folder'; path: string }
  | { kind: 'file'; path: string }
  /** The content of a packed file. */
  | { kind: 'upload'; bytes: Uint8Array }
  | { kind: 'npm'; spec: string }

/** The current step of an installation. */
export type InstallStep = 'fetching' | 'unpacking' | 'dependencies' | 'reading'

interface InstallerDeps extends NpmPlace {
  store: PluginStore
  /** The repository's folder. */
  root: string
  /** Time limit for reading a manifest. */
  loadTimeoutMs: number
  /** Whether the gateway or PLUGIN_DIRS has a plugin of this id. */
  isTaken(id: string): boolean
}

const MAX_PACKAGE_JSON_BYTES = 1_048_576
const MAX_VERSION = 64

export class Installer {
  readonly #deps: InstallerDeps
  #step: InstallStep | undefined

  constructor(deps: InstallerDeps) {
    this.#deps = deps
  }

  /** Undefined while this process installs nothing. */
  get step(): InstallStep | undefined {
    return this.#step
  }

  /** @throws plugins.not_installable, plugins.version_there, plugins.install_running, plugins.npm_missing, plugins.npm_failed */
  async install(source: InstallSource): Promise<PluginFacts> {
    const { store } = this.#deps
    return store.exclusively(() =>
      store
        .staged((staging) => this.#install(source, staging))
        .finally(() => {
          this.#step = undefined
        }),
    )
  }

  async #install(source: InstallSource, staging: string): Promise<PluginFacts> {
    const { store } = this.#deps
    const folder = await this.#brought(source, staging)
    const json = await readPackageJson(folder)
    if (hasDependencies(json)) {
      this.#step = 'dependencies'
      await installDependencies(folder, this.#deps)
    }
    this.#step = 'reading'
    const facts = await this.#factsOf(folder, json)
    const { id, version } = facts
    if (store.has(id, version)) throw versionThere({ id, version })
    await writeFile(factsPath(folder), JSON.stringify(facts), { mode: 0o600 })
    await store.place(folder, id, version)
    return facts
  }

  async #brought(source: InstallSource, staging: string): Promise<string> {
    const files = join(staging, 'files')
    if (source.kind === 'folder') {
      this.#step = 'unpacking'
      await copyPlugin(source.path, files)
      return files
    }
    this.#step = 'fetching'
    const packed = await packedFile(source, staging, this.#deps)
    this.#step = 'unpacking'
    const unpacked = await mkdtemp(join(staging, 'unpacked-'))
    await unpack(packed, unpacked)
    // Moves the files out of the folder that the archive has at its top.
    await rename(await topOf(unpacked), files)
    return files
  }

  async #factsOf(folder: string, json: Record<string, unknown>): Promise<PluginFacts> {
    const entry = entryIn(folder, json)
    const { root, loadTimeoutMs: limitMs } = this.#deps
    const facts = await inspect({ root, folder, entry, limitMs })
    const version = versionOf(facts.version, json['version'])
    this.#checkId(facts.id)
    return { ...facts, version }
  }

  #checkId(id: string): void {
    if (!isPluginId(id))
      refuse(
        `"${id.slice(0, 80)}" is no id: it needs lower-case letters, digits and single hyphens between them, up to 64.`,
        `“${id.slice(0, 80)}”不能作为 id：只能由小写字母、数字和单个连字符组成，最长 64 个字符。`,
      )
    if (this.#deps.isTaken(id))
      refuse(
        `the gateway, or a folder of PLUGIN_DIRS, has a plugin "${id}" already. Give this one another id.`,
        `网关自带或 PLUGIN_DIRS 中已有插件“${id}”，请为它换一个 id。`,
      )
  }
}

/** @returns the path of a packed file */
async function packedFile(
  source: Exclude<InstallSource, { kind: 'folder' }>,
  staging: string,
  place: NpmPlace,
): Promise<string> {
  if (source.kind === 'npm') return packFromRegistry(source.spec, staging, place)
  if (source.kind === 'file') {
    if (!existsSync(source.path))
      refuse(`there is no file ${source.path}.`, `没有文件 ${source.path}。`)
    return source.path
  }
  const file = join(staging, 'upload.tgz')
  await writeFile(file, source.bytes, { mode: 0o600 })
  return file
}

/** npm packs everything into one folder; other tools pack the files directly. */
async function topOf(unpacked: string): Promise<string> {
  const entries = await readdir(unpacked, { withFileTypes: true })
  const [only] = entries
  return entries.length === 1 && only?.isDirectory() ? join(unpacked, only.name) : unpacked
}

async function readPackageJson(folder: string): Promise<Record<string, unknown>> {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return {}
  const bytes = await readFile(file)
  const json = objectIn(bytes.subarray(0, MAX_PACKAGE_JSON_BYTES).toString('utf8'))
  return json ?? refuse('its package.json is no JSON object.', '其 package.json 不是 JSON 对象。')
}

function hasDependencies({ dependencies }: Record<string, unknown>): boolean {
  if (!isObject(dependencies)) return false
  if (Object.hasOwn(dependencies, 'tollgate'))
    refuse(
      'its package.json lists "tollgate" under dependencies. The running gateway is what it gets: list it under peerDependencies.',
      '其 package.json 在 dependencies 中列出了“tollgate”。插件使用的是运行中的网关，请改列在 peerDependencies 中。',
    )
  for (const [name, place] of Object.entries(dependencies))
    if (/^(?:(?:file|link):|[./~])/.test(String(place)))
      refuse(
        `its dependency "${name.slice(0, 80)}" is a folder, which is not brought along. Publish it to npm, or put its files into the plugin.`,
        `其依赖“${name.slice(0, 80)}”是一个文件夹，不会随插件安装。请将其发布到 npm，或把文件放入插件中。`,
      )
  return Object.keys(dependencies).length > 0
}

/** The file that `exports` or `main` names, or else index. */
function entryIn(folder: string, json: Record<string, unknown>): string {
  const { exports: doors, main } = json
  const door = isObject(doors) ? (doors['.'] ?? doors['import'] ?? doors['default']) : doors
  const named = isObject(door) ? (door['import'] ?? door['default']) : door
  for (const name of [named, main]) {
    if (typeof name !== 'string') continue
    const parts = name.replace(/^\.\//, '').split('/')
    const isInside = parts.every((part) => /^[\w@-][\w.@-]*$/.test(part))
    const file = join(folder, ...parts)
    if (isInside && /\.(?:m?js|ts)$/.test(name) && existsSync(file)) return file
  }
  return (
    entryOf(folder) ??
    refuse(
      'it has no index.ts, index.js or index.mjs, and package.json names no module by "main".',
      '其中没有 index.ts、index.js 或 index.mjs，package.json 也未用“main”指明模块。',
    )
  )
}

/** The version in the manifest or in package.json; if both have one, they must be equal. */
function versionOf(ofManifest: string, ofPackage: unknown): string {
  const said = typeof ofPackage === 'string' ? ofPackage : ''
  const version = ofManifest || said
  if (version.length > MAX_VERSION || semver.valid(version) !== version)
    refuse(
      version === ''
        ? 'it says no version. Add one such as 1.0.0 to its manifest or package.json.'
        : `its version "${version.slice(0, 40)}" is none such as 1.0.0.`,
      version === ''
        ? '它没有写明版本，请在清单或 package.json 中加上，例如 1.0.0。'
        : `其版本“${version.slice(0, 40)}”不是 1.0.0 这样的版本号。`,
    )
  if (said !== '' && said !== version)
    refuse(
      `its manifest says version ${version}, its package.json ${said.slice(0, 40)}. Make them the same.`,
      `清单中的版本为 ${version}，package.json 中为 ${said.slice(0, 40)}，请改为一致。`,
    )
  return version
}
