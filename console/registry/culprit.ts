/** The external plugin in whose module an error was thrown. */
export function culpritOf(error: unknown): string | undefined {
  const stack = error instanceof Error ? String(error.stack) : ''
  return /\/plugin-assets\/([a-z0-9-]{1,64})[@/]/.exec(stack)?.[1]
}
