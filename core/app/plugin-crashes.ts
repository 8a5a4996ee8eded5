// An exception that nobody caught ends the process, whoever threw it. Whose it was is kept in a file, so that the next start goes without that plugin.
import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { culpritOf } from '../kernel/plugin-context.ts'
import { detailOf } from '../kernel/plugin-fault.ts'

export interface PluginCrash {
  plugin: string
  detail: string
}

const fileName = 'plugin-crashes.jsonl'

/** Writes at the last moment: nothing that waits would be done any more. */
export function noteCrashes(dataDir: string): void {
  process.on('uncaughtExceptionMonitor', (error) => {
    const plugin = culpritOf(error)
    if (plugin === undefined) return
    const crash: PluginCrash = { plugin, detail: detailOf(error) }
    try {
      appendFileSync(join(dataDir, fileName), `${JSON.stringify(crash)}\n`, { mode: 0o600 })
    } catch {
      // The exception itself is what must be told.
    }
  })
}

/** Each told once. */
export function takeCrashes(dataDir: string): PluginCrash[] {
  const file = join(dataDir, fileName)
  try {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    rmSync(file)
    return lines.map((line) => JSON.parse(line) as PluginCrash)
  } catch {
    return []
  }
}
