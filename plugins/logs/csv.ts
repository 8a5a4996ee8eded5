// Comma-separated values for spreadsheets: RFC 4180, with text that a spreadsheet would execute as a formula made
// harmless.

/** Characters with which a formula begins, possibly after spaces. An apostrophe is put in front of such text. */
const formula = /^[\s\uFEFF]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
/** Where a decimal comma is usual, spreadsheets begin a cell behind it. */
const otherSeparator = ';'

/** Without this byte order mark some spreadsheets misread all but English text. */
export const byteOrderMark = '\uFEFF'

export function csvLine(values: readonly (string | number | boolean)[]): string {
  return `${values.map(field).join(',')}\r\n`
}

function field(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  const harmless = value
    .split(otherSeparator)
    .map((cell) => (formula.test(cell) ? `'${cell}` : cell))
    .join(otherSeparator)
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
