// Tool names and call ids that the target refuses are rewritten, the same everywhere in a request.
import { createHash, randomBytes } from 'node:crypto'
import type { AnswerHints } from '../../contract/dialect.ts'
import type { ChatRequest } from '../../contract/neutral.ts'

export interface NameRule {
  /** Characters that a name may not hold. */
  refused: RegExp
  longest: number
  /** Put in front of a name whose first character is refused there. */
  start?: { isRight: RegExp; prefix: string }
}

export const OPENAI_NAMES: NameRule = { refused: /[^A-Za-z0-9_-]/g, longest: 64 }
export const ANTHROPIC_NAMES: NameRule = { refused: /[^A-Za-z0-9_-]/g, longest: 128 }
export const GEMINI_NAMES: NameRule = {
  refused: /[^A-Za-z0-9_.-]/g,
  longest: 64,
  start: { isRight: /^[A-Za-z_]/, prefix: '_' },
}

export type Rename = (name: string) => string

/** Renames what `rule` refuses; `hints` learns the way back. Names in the history are renamed like those of the tools. */
export function fitToolNames(
  request: ChatRequest,
  rule: NameRule,
  hints: AnswerHints | undefined,
): Rename {
  const sent = new Map<string, string>()
  const taken = new Set(request.tools.map((tool) => tool.name))
  const rename = (name: string): string => {
    const known = sent.get(name)
    if (known !== undefined) return known
    const fitted = fitName(name, rule)
    if (fitted === name) return name
    const unique = makeUnique(fitted, taken, rule.longest)
    taken.add(unique)
    sent.set(name, unique)
    if (hints !== undefined) (hints.toolNames ??= new Map()).set(unique, name)
    return unique
  }
  return rename
}

function fitName(name: string, rule: NameRule): string {
  let fitted = name.replace(rule.refused, '_')
  if (fitted === '') fitted = '_'
  if (rule.start !== undefined && !rule.start.isRight.test(fitted)) {
    fitted = rule.start.prefix + fitted
  }
  return fitted.slice(0, rule.longest)
}

function makeUnique(name: string, taken: ReadonlySet<string>, longest: number): string {
  if (!taken.has(name)) return name
  for (let number = 2; ; number += 1) {
    const suffix = `_${number}`
    const candidate = name.slice(0, longest - suffix.length) + suffix
    if (!taken.has(candidate)) return candidate
  }
}

/** Anthropic's pattern for ids; another id becomes a digest of itself, so that call and result stay together. */
export function fitCallId(id: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(id)) return id
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 24)}`
}

export function newCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`
}
