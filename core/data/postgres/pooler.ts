/** A connection as its client sees it. */
export interface ClientConnection {
  /** The id of the server process behind it. */
  backend(): Promise<number>
  /** The same inside a transaction that stays open while `work` runs. */
  holding<T>(work: (backend: number) => Promise<T>): Promise<T>
}

/** A pooler in transaction mode lends a server process for one transaction only. LISTEN, session locks and session
 *  settings, by which nodes hear each other and know each other alive, are then lost or belong to another client. It is
 *  recognised by two connections that share a process, or by one that moves to another.
 *  @throws Error for the operator */
export async function refusePooler(one: ClientConnection, other: ClientConnection): Promise<void> {
  const before = await one.backend()
  const isPooled = await other.holding(
    async (held) => held === before || (await one.backend()) !== before,
  )
  if (!isPooled) return
  throw new Error(
    'a pooler hands its connections to others after each transaction, and nodes need sessions of their own; name the address of the database itself, or a pooler in session mode',
  )
}
