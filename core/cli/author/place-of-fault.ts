/** The first place in a stack that lies in the folder, as `file:line:column`; the sentence above it may name files, too, and is told by itself.
 *  What cannot be read is named by its URL where a package.json says that it is a module, else by its path. */
export function placeOfFault(stack: string, folder: string): string | undefined {
  const line = stack
    .split('\n')
    .map((text) => text.trim())
    .find((text) => isPlace(text, folder) && text.includes(folder))
  return line
    ?.replace(/^at /, '')
    .replace('file://', '')
    .replace(/\?tollgate-try=\d+/, '')
}

function isPlace(text: string, folder: string): boolean {
  return /^(?:at |file:\/\/)/.test(text) || (text.startsWith(folder) && /:\d+$/.test(text))
}
