/** The first place in a stack that lies in the folder, as `file:line:column`; the sentence above it may name files, too, and is told by itself. */
export function placeOfFault(stack: string, folder: string): string | undefined {
  const line = stack
    .split('\n')
    .map((text) => text.trim())
    .find((text) => /^(?:at |file:\/\/)/.test(text) && text.includes(folder))
  return line
    ?.replace(/^at /, '')
    .replace('file://', '')
    .replace(/\?tollgate-try=\d+/, '')
}
