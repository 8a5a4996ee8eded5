const sources = /\/(?:console|plugins\/[^/]+\/console)\/.*\.tsx?$/

/** Whether a module is one of the console's or of a plugin's console part, not of a package. */
export function isOwnSource(path: string): boolean {
  return sources.test(path) && !path.includes('node_modules')
}
