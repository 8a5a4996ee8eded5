// Renames tools and call ids that the target refuses, consistently within a request.
import { createHash, randomBytes } from 'node:crypto'
import type { AnswerHints } from '../../contract/dialect.ts'
import type { ChatRequest, ToolDeclaration } from '../../contract/neutral.ts'

export interface NameRule {
  /** Characters that a name may not hold. */
  refused: RegExp
  longest: number
  /** Prefix for a name whose first character is refused. */
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

/** Renames what `rule` refuses, and notes in `hints` how to undo it. Names in earlier turns are renamed too. */
export function fitToolNames(
  request: ChatRequest,
  rule: NameRule,
  hints: AnswerHints | undefined,
): Rename {
  const sent = new Map<string, string>()
  const nameApart = namesApart(new Set(request.tools.map((tool) => tool.name)), rule)
  const rename = (name: string): string => {
    const known = sent.get(name)
    if (known !== undefined) return known
    const fitted = fitName(name, rule)
    if (fitted === name) return name
    const unique = nameApart(fitted)
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

/** The tools with these names. Both lists come from the client and may be long. */
export function toolsNamed(
  tools: readonly ToolDeclaration[],
  names: readonly string[],
): ToolDeclaration[] {
  const wanted = new Set(names)
  return tools.filter(({ name }) => wanted.has(name))
}

/** Longer than any number that is appended, so that names which are cut to the same text also share its numbers. */
const LONGEST_SUFFIX = 8

/** Gives unique names, also different from `taken`. Remembers the last number of each name, because counting from 2
 *  each time would take quadratic time. */
export function namesApart(
  taken: Set<string>,
  {
    longest = Number.POSITIVE_INFINITY,
    suffixOf = (number: number) => `_${number}`,
  }: { longest?: number; suffixOf?: (number: number) => string } = {},
): (name: string) => string {
  const numbers = new Map<string, number>()
  return (name) => {
    const stem = name.slice(0, longest - LONGEST_SUFFIX)
    let number = numbers.get(stem) ?? 1
    let unique = name
    while (taken.has(unique)) {
      number += 1
      const suffix = suffixOf(number)
      unique = name.slice(0, longest - suffix.length) + suffix
    }
    numbers.set(stem, number)
    taken.add(unique)
    return unique
  }
}

/** Anthropic's pattern for ids. Any other id is replaced by its digest, so that call and result still match. */
export function fitCallId(id: string): string {
  return /^[A-Za-z0-9_-]+$/.test(id) ? id : digestedId(id)
}

/** OpenAI takes ids up to a length. */
export function shortCallId(id: string, most: number): string {
  return id.length > most ? digestedId(id) : id
}

function digestedId(id: string): string {
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 24)}`
}

export function newCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`
}
