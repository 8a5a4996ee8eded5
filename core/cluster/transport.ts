/** Carries texts between nodes. Texts sent while a node was away are lost to it; it is told that there was a gap. */
export interface Transport {
  /** Rejects when the text may not have gone out. */
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
