/** The id of an account, or the network of somebody who is not known yet. */
export type Sender = number | string

/** Who holds how many bytes of a room that many share. */
export class Shares {
  readonly #bytes = new Map<Sender, number>()

  of(sender: Sender): number {
    return this.#bytes.get(sender) ?? 0
  }

  add(sender: Sender, bytes: number): void {
    if (bytes === 0) return
    const sum = this.of(sender) + bytes
    if (sum === 0) this.#bytes.delete(sender)
    else this.#bytes.set(sender, sum)
  }
}
