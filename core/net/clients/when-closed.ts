interface Closable {
  readonly destroyed: boolean
  on(name: 'close', listener: () => void): unknown
}

/** Calls `work` when a connection or an answer is closed; at once if it is closed already, since the event comes only
 *  once and the client may have left while something else was awaited. For the same reason it is not listened to with `once`,
 *  which makes three objects for each listener. */
export function whenClosed(stream: Closable, work: () => void): void {
  if (stream.destroyed) work()
  else stream.on('close', work)
}
