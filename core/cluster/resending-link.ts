import type { Logger } from '../contract/services.ts'
import type { Transport, TransportListener } from './transport.ts'

const maxUnsent = 1000

export interface LinkListener {
  onText(text: string): void
  /** Texts may have been missed. */
  onGap(): void
  /** Tells the others to read everything anew: more was not sent than is kept. */
  resyncText(): string
}

/** One transport of the bus, with what could not be sent over it yet. */
export class ResendingLink implements TransportListener {
  readonly #listener: LinkListener
  readonly #log: Logger
  #transport: Transport | undefined
  /** Undefined when it became too much and only a resync of all nodes will do. */
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

  /** @throws what the transport throws; the text is then sent when the transport is back */
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
    // What fails again has gone back to the unsent.
    for (const text of unsent) this.send(text).catch(() => undefined)
  }
}
