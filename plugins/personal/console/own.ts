import type { OwnAccount } from '#console'

export interface CardOf {
  own: OwnAccount
  /** Reads the account anew. */
  onChange(): Promise<unknown>
  /** Whether the card holds something that is not saved. */
  onEdited(card: string, isEdited: boolean): void
}
