/** The first place of a stack trace that lies in the folder, as `file:line:column`. The message above the trace may
 *  name files too, but is printed anyway. A file with a syntax error is named by its URL if a package.json makes it a
 *  module, otherwise by its path. */
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
