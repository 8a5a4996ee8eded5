/** Carries texts between nodes. A node that was away loses the texts of that time, and learns that there was a gap. */
export interface Transport {
  /** Rejects if the text may not have been sent. */
  send(text: string): Promise<void>
  close(): Promise<void>
}

export interface TransportListener {
  onText(text: string): void
  /** Connected again after a loss: texts may have been missed. */
  onGap(): void
  /** Sending works again after a loss. */
  onSendable(): void
}
