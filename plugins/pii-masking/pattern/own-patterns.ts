import type { Text } from '#core'
import type { Finder } from '../find/span.ts'
import { PatternFault } from './pattern-fault.ts'
import { PatternMachine } from './pattern-machine.ts'

const MOST_PATTERNS = 20
const namedLine = /^([A-Z][A-Z0-9_]{0,15})=/

export interface OwnPattern {
  /** Part of the mark: `[STAFF_1]`. */
  name: string
  find: Finder
}

/** Reads one pattern from each line: `STAFF=EMP-\d{6}`, or a pattern without a name.
 *  @throws PatternLineFault */
export function readPatterns(lines: string): OwnPattern[] {
  const found = lines
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '')
  if (found.length > MOST_PATTERNS) throw new PatternLineFault(undefined, tooMany)
  return found.map(({ line, number }) => readLine(line, number))
}

const tooMany: Text = {
  en: `At most ${MOST_PATTERNS} patterns can be used.`,
  zh: `最多可使用 ${MOST_PATTERNS} 条规则。`,
}

function readLine(line: string, number: number): OwnPattern {
  const [prefix = '', name = 'CUSTOM'] = namedLine.exec(line) ?? []
  try {
    const machine = new PatternMachine(line.slice(prefix.length))
    return { name, find: (text) => machine.find(text) }
  } catch (error) {
    if (error instanceof PatternFault) throw new PatternLineFault(number, error.text)
    throw error
  }
}

/** The sentence for whoever saves the patterns: which line is wrong, and why. */
export class PatternLineFault extends Error {
  readonly text: Text

  constructor(line: number | undefined, { en, zh }: Text) {
    super(en)
    this.name = 'PatternLineFault'
    this.text =
      line === undefined ? { en, zh } : { en: `Line ${line}: ${en}`, zh: `第 ${line} 行：${zh}` }
  }
}
