/** What the screen reads of `GET /api/user/self`. */
export interface Own {
  id: number
  username: string
  display_name: string
  role: number
  group: string
  quota: number
  used_quota: number
  request_count: number
  aff_count: number
  aff_quota: number
  aff_history_quota: number
  /** JSON. */
  setting: string
}

export interface CardOf {
  own: Own
  /** Reads the account anew. */
  onChange(): Promise<unknown>
  /** Whether the card holds something that is not saved. */
  onEdited(card: string, isEdited: boolean): void
}
