import { jsonFaultIn } from '../../../core/contract/json.ts'

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
  } catch {
    return jsonFaultIn(text)
  }
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
