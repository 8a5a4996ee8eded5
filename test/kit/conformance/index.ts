// What must hold of every plugin and adapter, by its kind; runs on folders anywhere, under any test runner.
import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Adapter, Plugin } from '#core'
import { type Check, refuse } from '../../harness/adapters/adapter-checks.ts'
import { adapterChecks } from './adapter-folder.ts'
import { consoleChecks } from './console-part.ts'
import { kindChecks } from './kinds.ts'
import { pluginChecks } from './plugin-folder.ts'
import { openRoom, type Room } from './room.ts'

export interface Outcome {
  name: string
  /** Empty: it holds. */
  problem: string
}

/** Runs every check that fits the plugin or adapter in `folder`. */
export async function outcomesOf(folder: string | URL): Promise<Outcome[]> {
  const path = realpathSync(folder instanceof URL ? fileURLToPath(folder) : resolve(folder))
  if (!['index.ts', 'index.js', 'index.mjs'].some((name) => existsSync(join(path, name))))
    return [{ name: 'is a plugin', problem: `${path} has no index.ts` }]
  const room = await openRoom(path)
  try {
    const isOn = await outcomeOf({ name: 'can be switched on', run: () => switchOn(room) })
    if (isOn.problem !== '') return [isOn]
    const outcomes = [isOn]
    for (const check of await checksFor(room)) outcomes.push(await outcomeOf(check))
    return outcomes
  } finally {
    await room.close()
  }
}

/** The same as one call of a test: `test('keeps the contract', () => conformance(import.meta.dirname))`.
 *  @throws Error that lists all that does not hold */
export async function conformance(folder: string | URL): Promise<void> {
  const failed = (await outcomesOf(folder)).filter(({ problem }) => problem !== '')
  refuse(failed.map(({ name, problem }) => `${name}: ${problem}`))
}

async function switchOn({ gateway, id }: Room): Promise<void> {
  const { hash } = await gateway.host.asks(id)
  await gateway.host.setEnabled(id, true, hash)
}

async function checksFor(room: Room): Promise<Check[]> {
  const manifest: Adapter | Plugin | undefined = room.gateway.host.manifest(room.id)?.manifest
  if (manifest?.kind === 'adapter') return adapterChecks(manifest, room)
  if (manifest === undefined) return []
  // Last, since it switches the plugin off and on.
  return [
    ...(await consoleChecks(manifest, room)),
    ...kindChecks(room),
    ...pluginChecks(manifest, room),
  ]
}

async function outcomeOf({ name, run }: Check): Promise<Outcome> {
  try {
    await run()
    return { name, problem: '' }
  } catch (error) {
    return { name, problem: error instanceof Error ? error.message : String(error) }
  }
}
