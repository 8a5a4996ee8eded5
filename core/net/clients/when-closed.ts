interface Closable {
  readonly destroyed: boolean
  once(name: 'close', listener: () => void): unknown
}

/** Calls `work` when a connection or an answer is closed; at once if it is closed already, since the event comes only
 *  once and the client may have left while something else was awaited. */
export function whenClosed(stream: Closable, work: () => void): void {
  if (stream.destroyed) work()
  else stream.once('close', work)
}
