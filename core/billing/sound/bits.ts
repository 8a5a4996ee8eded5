/** Reads bits, the highest of a byte first. Bytes past the end of the data are 0. */
export class Bits {
  /** The position in bits from the beginning of the data. */
  at: number
  private readonly data: Uint8Array
  private readonly end: number

  constructor(data: Uint8Array, start = 0, end = data.length) {
    this.data = data
    this.at = start * 8
    this.end = end * 8
  }

  /** For 1 to 25 bits. */
  peek(count: number): number {
    const { data, at } = this
    const byte = at >>> 3
    const word =
      ((data[byte] ?? 0) << 24) |
      ((data[byte + 1] ?? 0) << 16) |
      ((data[byte + 2] ?? 0) << 8) |
      (data[byte + 3] ?? 0)
    return (word << (at & 7)) >>> (32 - count)
  }

  read(count: number): number {
    const value = this.peek(count)
    this.at += count
    return value
  }

  skip(count: number): void {
    this.at += count
  }

  /** Moves to the next whole byte. */
  align(): void {
    this.at = Math.ceil(this.at / 8) * 8
  }

  get isPast(): boolean {
    return this.at > this.end
  }

  /** Called for invalid data: moves past the end. */
  fail(): void {
    this.at = Math.max(this.at, this.end + 1)
  }
}
