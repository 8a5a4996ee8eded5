/** Who holds how many bytes of a room that many share. */
export class Shares {
  readonly #bytes = new Map<string, number>()

  of(sender: string): number {
    return this.#bytes.get(sender) ?? 0
  }

  add(sender: string, bytes: number): void {
    const sum = this.of(sender) + bytes
    if (sum === 0) this.#bytes.delete(sender)
    else this.#bytes.set(sender, sum)
  }
}
