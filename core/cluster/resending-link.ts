import type { Logger } from '../contract/services.ts'
import type { Transport, TransportListener } from './transport.ts'

const maxUnsent = 1000

export interface LinkListener {
  onText(text: string): void
  /** Messages may have been missed. */
  onGap(): void
  /** The text that makes all nodes read everything again; sent if more was unsent than is kept. */
  resyncText(): string
}

/** One transport of the bus, together with the texts that could not be sent over it yet. */
export class ResendingLink implements TransportListener {
  readonly #listener: LinkListener
  readonly #log: Logger
  #transport: Transport | undefined
  /** Undefined if there were too many, so that only a resync of all nodes helps. */
  #unsent: string[] | undefined = []

  private constructor(listener: LinkListener, log: Logger) {
    this.#listener = listener
    this.#log = log
  }

  static async open(
    connect: (listener: TransportListener) => Promise<Transport>,
    listener: LinkListener,
    log: Logger,
  ): Promise<ResendingLink> {
    const link = new ResendingLink(listener, log)
    link.#transport = await connect(link)
    return link
  }

  /** @throws the transport's error; the text is sent when the transport is back */
  async send(text: string): Promise<void> {
    try {
      await this.#transport?.send(text)
    } catch (error) {
      if (this.#unsent?.length === 0)
        this.#log.warn({ err: error }, 'cluster messages wait for the connection')
      this.#unsent?.push(text)
      if ((this.#unsent?.length ?? 0) > maxUnsent) this.#unsent = undefined
      throw error
    }
  }

  /** True while texts wait for the connection. */
  get isWaiting(): boolean {
    return this.#unsent?.length !== 0
  }

  async close(): Promise<void> {
    await this.#transport?.close()
  }

  onText(text: string): void {
    this.#listener.onText(text)
  }

  onGap(): void {
    this.#listener.onGap()
  }

  onSendable(): void {
    const unsent = this.#unsent ?? [this.#listener.resyncText()]
    this.#unsent = []
    // Texts that fail again have been put back into the queue.
    for (const text of unsent) this.send(text).catch(() => undefined)
  }
}
