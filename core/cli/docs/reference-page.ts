type Row = readonly string[]

/** A page with one table, in Markdown. */
export function referencePage(
  title: string,
  lead: string,
  head: Row,
  rows: readonly Row[],
): string {
  return [`# ${title}`, '', lead, '', ...tableOf(head, rows), ''].join('\n')
}

/** The lines of a table in Markdown. */
export function tableOf(head: Row, rows: readonly Row[]): string[] {
  const line = (cells: Row) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
}
