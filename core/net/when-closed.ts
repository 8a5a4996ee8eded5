interface Closable {
  readonly destroyed: boolean
  once(name: 'close', listener: () => void): unknown
}

/** Calls when a connection or an answer is closed; at once where it is closed already, for that is told once only, and its client may have left
 *  while something else was waited for. */
export function whenClosed(stream: Closable, work: () => void): void {
  if (stream.destroyed) work()
  else stream.once('close', work)
}
