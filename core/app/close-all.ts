/** Runs each of them after the one before has ended, even if that failed: what closes late must not be left open because of it.
 *  @throws the error, or an AggregateError if several failed */
export async function closeAll(closers: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const close of closers) await close().catch((error: unknown) => void errors.push(error))
  if (errors.length > 1) throw new AggregateError(errors, 'several parts did not end cleanly')
  if (errors.length === 1) throw errors[0]
}
