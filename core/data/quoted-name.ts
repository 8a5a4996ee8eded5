/** The name of a table, column or other thing as SQL writes it, whatever signs it has. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
