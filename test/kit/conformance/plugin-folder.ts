// What must hold of every plugin that is no adapter.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type Plugin } from '#core'
import { type Check, refuse } from '../../harness/adapters/adapter-checks.ts'
import { eventually } from '../eventually.ts'
import { type Room, tablesOf } from './room.ts'

/** How often it comes and goes. */
const ROUNDS = 6

export function pluginChecks(plugin: Plugin, room: Room): Check[] {
  return [
    {
      name: 'states its version, contract, summary and what it asks for',
      run: async () => refuse(manifestFaults(plugin, room)),
    },
    { name: 'lets nobody in who is not signed in', run: () => checkStrangers(room) },
    { name: 'makes nothing but tables of its own', run: () => checkTables(room) },
    { name: 'goes and comes again, and leaves nothing', run: () => checkSwitching(room) },
  ]
}

function manifestFaults(
  { version, contract, summary, asks, server }: Plugin,
  { folder }: Room,
): string[] {
  const problems: string[] = []
  if (version === undefined) problems.push('"version" is missing, such as 1.0.0')
  if (contract === undefined) problems.push('"contract" is missing: the range it was written for')
  if (!summary?.en.trim() || !summary.zh.trim())
    problems.push('"summary" needs a line in en and zh')
  if (server && asks?.services === undefined)
    problems.push(
      '"asks.services" is missing: whoever switches it on would be told that it uses everything',
    )
  const file = join(folder, 'package.json')
  const facts: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const packageVersion = isObject(facts) ? facts['version'] : undefined
  if (packageVersion !== undefined && packageVersion !== version)
    problems.push(
      `package.json has version ${JSON.stringify(packageVersion)}, the manifest ${version ?? 'none'}`,
    )
  return problems
}

/** Each route but the public ones, called with nothing. */
async function checkStrangers({ gateway, id }: Room): Promise<void> {
  const routes = gateway.host.current.app.routeTable.filter(
    ({ owner, access, method }) =>
      owner === id &&
      access !== undefined &&
      method !== 'HEAD' &&
      access !== 'public' &&
      access !== 'try-user',
  )
  const problems: string[] = []
  for (const { method, path } of routes) {
    const address = path.replaceAll(/:\w+\??/g, '1').replace('*', 'x')
    const { status } = await fetch(gateway.address + address, {
      method,
      ...(method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: '{}' }),
    })
    if (status !== 401 && status !== 403) problems.push(`${method} ${path} answers ${status}`)
  }
  refuse(problems)
}

async function checkTables({ gateway, id, tables }: Room): Promise<void> {
  const prefix = `${id.replaceAll('-', '_')}__`
  const made = (await tablesOf(gateway)).filter((name) => !tables.has(name))
  refuse(
    made
      .filter((name) => !name.startsWith(prefix) && !name.startsWith('sqlite_'))
      .map((name) => `"${name}" does not begin with ${prefix}`),
  )
}

async function checkSwitching({ gateway, id }: Room): Promise<void> {
  const { host } = gateway
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const swap = async () => {
    await host.setEnabled(id, false)
    const row = await host.setEnabled(id, true)
    refuse(row.state === 'on' ? [] : [`it is ${row.state}: ${row.error}`])
  }
  // What is made once stays.
  await swap()
  const before = timers()
  for (let round = 0; round < ROUNDS; round += 1) await swap()
  await eventually(async () => {
    const more = timers() - before
    // One of those before may have been on its way out.
    refuse(more < ROUNDS - 1 ? [] : [`${more} timers are left of ${ROUNDS} times on`])
  })
}
