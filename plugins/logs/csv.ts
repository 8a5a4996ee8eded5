// Comma-separated values as spreadsheets open them: RFC 4180, and text that would be run as a formula is made harmless.

/** Text that begins so is a formula to a spreadsheet, also after blanks: it gets an apostrophe in front. */
const formula = /^[\s\uFEFF]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/

/** Without it some spreadsheets read anything but English wrongly. */
export const byteOrderMark = '\uFEFF'

export function csvLine(values: readonly (string | number | boolean)[]): string {
  return `${values.map(field).join(',')}\r\n`
}

function field(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  const harmless = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
