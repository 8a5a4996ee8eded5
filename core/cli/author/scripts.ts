// Runs tools that are not part of core as processes of their own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from '../../app/root.ts'

/** Runs a script.
 *  @returns its exit code */
export async function runScript(file: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [join(root, file), ...args], { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
