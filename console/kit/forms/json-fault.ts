export interface JsonFault {
  line: number
  column: number
}

/** The position at which the text stops being valid JSON; undefined if it is valid or empty. */
export function findJsonFault(text: string): JsonFault | undefined {
  if (text.trim() === '') return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return placeOf(text, offsetOf(text, String(error)))
  }
}

/** Browsers write "at position 12", "at line 1 column 13", or quote the text around the fault. */
function offsetOf(text: string, message: string): number {
  const position = /position (\d+)/.exec(message)?.[1]
  if (position) return Number(position)
  const place = /line (\d+) column (\d+)/.exec(message)
  if (place) {
    const before = text.split('\n').slice(0, Number(place[1]) - 1)
    return before.join('\n').length + (before.length > 0 ? 1 : 0) + Number(place[2]) - 1
  }
  return text.length
}

function placeOf(text: string, offset: number): JsonFault {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** JSON without line breaks and spaces. A text that is not JSON stays as it is. */
export function compactJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
