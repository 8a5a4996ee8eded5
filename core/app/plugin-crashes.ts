// An uncaught exception ends the process. A file then names the plugin that has thrown it, so that the next start leaves the plugin out.
import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { objectIn } from '../contract/json.ts'
import { culpritOf } from '../kernel/plugin-context.ts'
import { detailOf } from '../kernel/plugin-fault.ts'

export interface PluginCrash {
  plugin: string
  detail: string
}

const fileName = 'plugin-crashes.jsonl'

/** Writes synchronously, because the process ends before anything asynchronous would run.
 *  @returns ends it, before the folder is another's */
export function noteCrashes(dataDir: string): () => void {
  const note = (error: Error) => {
    const plugin = culpritOf(error)
    if (plugin === undefined) return
    const crash: PluginCrash = { plugin, detail: detailOf(error) }
    try {
      appendFileSync(join(dataDir, fileName), `${JSON.stringify(crash)}\n`, { mode: 0o600 })
    } catch {
      // The exception itself must be reported, not the failure to write the file.
    }
  }
  process.on('uncaughtExceptionMonitor', note)
  return () => void process.off('uncaughtExceptionMonitor', note)
}

/** Returns each crash once. */
export function takeCrashes(dataDir: string): PluginCrash[] {
  const file = join(dataDir, fileName)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
    rmSync(file)
  } catch {
    return []
  }
  return text.split('\n').flatMap(crashIn)
}

/** A full disk may have cut a line off, which must not hide the others. */
function crashIn(line: string): PluginCrash[] {
  const { plugin, detail }: Partial<PluginCrash> = objectIn(line) ?? {}
  return plugin === undefined || detail === undefined ? [] : [{ plugin, detail }]
}
