// Describes the work of a provider's built-in tools as text for other providers' models, which know neither the tools nor their blocks.
import type { JsonObject } from '../../contract/json.ts'

/** On lines of its own, because the texts of a turn may be joined without a separator. */
export function toolText(tool: string, said: string): string {
  return said === '' ? `\n[${tool}]\n` : `\n[${tool}] ${said}\n`
}

export function codeFence(language: string, code: string): string {
  return `\n\`\`\`${language}\n${code}\n\`\`\`\n`
}

/** The output of a program, followed by its errors. */
export function outputFence(...outputs: unknown[]): string {
  const written = outputs.filter((output) => typeof output === 'string' && output !== '')
  return codeFence('output', written.join('\n'))
}

/** A page or a file as one line. */
export function sourceLine(title: unknown, place: unknown): string {
  const words = [title, place].filter((word) => typeof word === 'string' && word !== '')
  return words.length === 0 ? '' : `- ${words.join(': ')}`
}

export function lines(list: readonly string[]): string {
  return list.filter((line) => line !== '').join('\n')
}

const UNSAID: ReadonlySet<string> = new Set([
  'type',
  'id',
  'call_id',
  'status',
  'caller',
  'cache_control',
  'tool_use_id',
])

/** An unknown kind, by its fields; signed ones are useless to anybody else. */
export function anyToolText(tool: string, fields: JsonObject): string {
  const said = Object.entries(fields).filter(
    ([name, value]) =>
      !UNSAID.has(name) && !name.startsWith('encrypted') && value !== null && value !== undefined,
  )
  return toolText(tool, said.length === 0 ? '' : JSON.stringify(Object.fromEntries(said)))
}
