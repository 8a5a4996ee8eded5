// The sheets of a console part: once one is loaded it holds for all of the console.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What reaches beyond the plugin's own elements, as sentences. */
export function sheetFaults(folder: string, id: string): string[] {
  return globSync('console/**/*.css', { cwd: folder })
    .sort()
    .flatMap((file) =>
      selectorsOf(readFileSync(join(folder, file), 'utf8'))
        .filter((selector) => !isOwn(selector, id))
        .map(
          (selector) =>
            `${file}: "${selector.slice(0, 80)}" reaches all of the console: begin with a class of your own, such as .${id}`,
        ),
    )
}

function isOwn(selector: string, id: string): boolean {
  return ['.', '#', '[data-'].some((sign) => selector.includes(`${sign}${id}`))
}

/** Rules stand inside of these; what others hold are no selectors of elements. */
const groups = /^@(?:media|supports|layer|container|scope|starting-style)\b/

/** Of all rules but those that stand inside of another. */
function selectorsOf(sheet: string): string[] {
  const selectors: string[] = []
  const isInRules: boolean[] = []
  let words = ''
  for (const sign of sheet.replaceAll(/\/\*.*?\*\/|"[^"\n]*"|'[^'\n]*'/gs, ' ')) {
    if (sign === '{') {
      const head = words.trim()
      const isSelector = !head.startsWith('@') && (isInRules.at(-1) ?? true)
      if (isSelector) selectors.push(...splitList(head))
      isInRules.push(groups.test(head) && (isInRules.at(-1) ?? true))
    } else if (sign === '}') isInRules.pop()
    words = sign === '{' || sign === '}' || sign === ';' ? '' : words + sign
  }
  return selectors
}

/** At commas that stand in no bracket. */
function splitList(head: string): string[] {
  const parts = ['']
  let depth = 0
  for (const sign of head) {
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (sign === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}
